return action "stop-clock" {
  description = "Stop the clock: time no longer counts against the due date.",
  from        = "Open*",
  offered     = "!@IsLockedByOther && !ClockStopped",
  raises      = "ClockStopped",
  mandatory   = { richtext "Description" { description = "Whom or what the call waits for." } },
  optional    = { "Status" },
  run = function(call) call.ClockStopped, call.ClockStoppedDate = true, datetime.now() end,
}
