return func "WorkingHoursAgo" {
  description = 'The moment so many working hours ago, by a calendar: LoggedDate < @WorkingHoursAgo(4, "vienna") asks for ' ..
    "what has waited longer than that.",
  returns     = "DateTime",
  parameters  = { double "hours", text "calendar" },
  value = function(hours, calendar)
    local is_known, moment = pcall(datetime.add_working, datetime.now(), { hours = -hours }, calendar)
    if not is_known then
      reject(moment:match "there is no calendar.*" or moment)  -- no mutant: what else may fail is told as it is
    end
    return moment or reject("calendars know the years 1990 to 2099, and this leaves them")
  end,
}
