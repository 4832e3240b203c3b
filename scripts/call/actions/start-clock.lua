local promise = require "lib.promise"

return action "start-clock" {
  description = "Start the clock again. The due date moves by the time that the clock was stopped.",
  from        = "Open*",
  offered     = "!@IsLockedByOther && ClockStopped",
  due         = "ClockStopped && SuspendUntil <= @Now",
  raises      = "ClockStarted",
  optional    = { richtext "Description" { description = "What happened meanwhile." }, "Status" },
  run = function(call)
    local stopped, planned, till = call.ClockStoppedDate, call.SuspendUntil, datetime.now()
    if planned and planned < till then till = planned end
    if call.DueDate and stopped and stopped < till then
      local priority = call.Priority and desk.find("call-priority", call.Priority)
      call.DueDate = promise.moved(priority, call.DueDate, stopped, till)
    end
    call.ClockStopped, call.ClockStoppedDate, call.SuspendUntil = false, null, null
  end,
}
