-- DueDate against the moment at which the call's time stopped to run: the stop of its clock, its close, or not yet.
-- (Time stopped earlier is in DueDate already: starting the clock moves it on.) Imported calls say it by themselves.
return condition "SlmBreached" {
  description = "Calls that passed DueDate before they were closed, or are past it now; stopped time does not count.",
  filter = "Breached"
        .. " || ClockStopped && DueDate < ClockStoppedDate"
        .. " || !ClockStopped && DueDate < ClosedDate"
        .. ' || !ClockStopped && DueDate < @Now && @InState("Open*")',
}
