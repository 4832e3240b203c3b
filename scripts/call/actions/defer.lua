return action "defer" {
  description = "Put the call aside until a date; its clock stops until then.",
  from        = "Open*",
  offered     = "!@IsLockedByOther",
  raises      = "Deferred",
  optional    = {
    richtext "Description" { description = "Why it can wait." },
    datetime "DeferUntil" { description = "When it should be taken up again." },
    "Status",
  },
  run = function(call, input)
    if not call.ClockStopped then call.ClockStopped, call.ClockStoppedDate = true, datetime.now() end
    call.SuspendUntil = input.DeferUntil
  end,
}
