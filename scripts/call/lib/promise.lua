-- Until when a priority promises: in the hours of its calendar; around the clock without one, and where calendars end.
return {
  -- When a call is due that was logged then; nil where nothing is promised.
  due = function(priority, logged)
    local minutes, calendar = priority.ResolveMinutes, priority.Calendar
    if not minutes or not logged then return end
    return calendar and datetime.add_working(logged, { minutes = minutes }, calendar) or datetime.add(logged, 0, 0, minutes)
  end,

  -- The due date of a call whose clock stood still from `from` to `to`.
  moved = function(priority, due, from, to)
    local calendar = priority and priority.Calendar
    local hours = calendar and datetime.working_between(from, to, calendar)
    return hours and datetime.add_working(due, { hours = hours }, calendar) or datetime.shift(due, from, to)
  end,
}
