-- What follows from other values of a call, unless somebody gives it.
local promise = require "lib.promise"
local priorities = { { 1, 2, 3 }, { 2, 3, 4 }, { 3, 4, 4 } }       -- by Impact, then Urgency
local prefixes = { incident = "INC", problem = "PRB", ["service-request"] = "SRQ" }

local function changed(call, before, name) return call[name] ~= before[name] end

local function derive_priority(call, before)
  local moved = changed(call, before, "Impact") or changed(call, before, "Urgency")
  local row = moved and not changed(call, before, "Priority") and call.Impact and priorities[call.Impact]
  if row and call.Urgency and row[call.Urgency] then call.Priority = row[call.Urgency] end
end

local function derive_due_date(call, before)
  if not changed(call, before, "Priority") or changed(call, before, "DueDate") then return end
  local priority = call.Priority and desk.find("call-priority", call.Priority)
  local due = priority and promise.due(priority, call.LoggedDate)
  if due then call.DueDate = due end
end

local function derive(call, before)
  derive_priority(call, before)
  derive_due_date(call, before)
end

return hooks {
  before_create = function(call, before)
    call.CallRef = string.format("%s-%06d", prefixes[call.RecordType] or "CAL", call.Ref)
    derive(call, before)
  end,

  before_update = derive,

  -- One row for each action; the call's own description stays as it is.
  history = function(call, before, action, input, session)
    call:raise "ActionAddedtoHistory"
    return {
      Action = action.name, ActionTitle = action.title, Description = input.Description, IsPublic = input.IsPublic,
      Analyst = session.user_id, Date = datetime.now(), FromState = before.State, ToState = call.State,
    }
  end,
}
