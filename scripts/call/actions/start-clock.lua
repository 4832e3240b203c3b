return action "start-clock" {
  description = "Time counts again; the due date moves by the time that stood still.",
  from        = "Open*",
  offered     = "!@IsLockedByOther && ClockStopped",
  raises      = "ClockStarted",
  optional    = { richtext "Description" { description = "What happened meanwhile." }, "Status" },
  run = function(call)
    if call.DueDate and call.ClockStoppedDate then
      call.DueDate = datetime.shift(call.DueDate, call.ClockStoppedDate, datetime.now())
    end
    call.ClockStopped, call.ClockStoppedDate, call.SuspendUntil = false, null, null
  end,
}
