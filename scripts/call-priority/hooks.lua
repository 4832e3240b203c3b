-- A calendar that nobody wrote would fail each call of the priority; it is told while it is set.
local function check_calendar(priority, before)
  local name = priority.Calendar
  if not name or name == before.Calendar then return end
  local found = pcall(datetime.working_between, datetime.now(), datetime.now(), name)
  if not found then reject("Calendar: there is no calendar '" .. name .. "'; the calendars are in scripts/common/calendars") end
end

return hooks { before_create = check_calendar, before_update = check_calendar }
