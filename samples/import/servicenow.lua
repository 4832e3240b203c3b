-- ServiceNow's incident log, a row for each event: the incident as its last event left it, each event as history.
--   callisto import servicenow_incidents.csv.gz --map samples/import/servicenow.lua
-- README.md beside this file explains the words.

local state_numbers = {
  ["New"] = 0, ["Active"] = 1, ["Awaiting User Info"] = 1, ["Awaiting Problem"] = 1, ["Awaiting Vendor"] = 1,
  ["Awaiting Evidence"] = 1, ["Resolved"] = 3, ["Closed"] = 2, ["-100"] = 1,
}
local state_names = { [0] = "New", [1] = "Open", [2] = "Closed", [3] = "Open/Resolved" }

local function number_before_dash(column)          -- "3 - Moderate" is 3
  return function(row) return row[column] and row[column]:match "^(%d+) %- " end
end

local function once(states, column)                -- every event of the log tells how its incident will end
  return function(row) return states[row.incident_state] and row[column] end
end

local function person(column, is_analyst)
  return find_or_create "person" { by = "Name", Name = column, LastName = column, IsAnalyst = always(is_analyst) }
end

local function call_state(number)
  return find_or_create "call-state" {
    by   = "Ref",
    Ref  = number,
    Name = function(row, rows, position) return state_names[number(row, rows, position)] end,
  }
end

local function numbered(entity, column)            -- keeps ServiceNow's numbers where they are free
  return find_or_create(entity) {
    by = "Name", Ref = number_before_dash(column), Name = column, Rank = number_before_dash(column),
  }
end

local function to_state(row)
  return state_numbers[row.incident_state] or reject("unknown incident_state '" .. tostring(row.incident_state) .. "'")
end

local function from_state(_, rows, position)
  if position > 1 then return to_state(rows[position - 1]) end
end

local partition = find_or_create "partition" { by = "Ref", Ref = always(1), Name = always "Imported" }

local location = find_or_create "location" { by = "Name", Name = "location", Partition = partition }

local service = find_or_create "service" {
  by        = { "Name", "Location" },
  Name      = "category",
  Location  = location,
  AssetRef  = join(" / ", "category", "location"),
  Partition = partition,
}

return import {
  format   = "csv",
  dates    = "%d/%m/%Y %H:%M",
  zone     = "UTC",
  null     = "?",
  group_by = "number",

  record "incident" {
    Ref              = function(row) return row.number:match "^INC(%d+)$" or reject "number is not INC and digits" end,
    CallRef          = "number",
    Partition        = partition,
    ShortDescription = join(" / ", "category", "subcategory", "u_symptom"),
    State            = call_state(to_state),
    Status           = find_or_create "call-status" { by = "Name", Name = "incident_state" },
    Priority         = numbered("call-priority", "priority"),
    Impact           = numbered("call-impact", "impact"),
    Urgency          = numbered("call-urgency", "urgency"),
    Service          = service,
    User             = person("caller_id", false),
    Analyst          = person("assigned_to", true),
    Group            = find_or_create "group" { by = "Name", Name = "assignment_group" },
    Number1          = "reassignment_count",
    Number2          = "sys_mod_count",
    Checkbox1        = function(row) return (tonumber(row.reopen_count) or 0) > 0 end,
    Breached         = one_of("made_sla", { ["true"] = false, ["false"] = true }),
    CreatedDate      = "opened_at",
    LoggedDate       = "sys_created_at",
    UpdatedDate      = "sys_updated_at",
    ResolvedDate     = once({ Resolved = true, Closed = true }, "resolved_at"),
    ClosedDate       = once({ Closed = true }, "closed_at"),
    LastHistoryOrder = function(_, rows) return #rows end,
  },

  rows "call-history" {
    TicketId    = parent,
    Order       = position,
    Partition   = partition,
    Action      = function(_, _, position) return position == 1 and "create" or "update" end,
    ActionTitle = function(_, _, position) return position == 1 and "Create" or "Update" end,
    Description = join(", ", "incident_state", "sys_updated_by", "assignment_group", "assigned_to"),
    Analyst     = person("sys_updated_by", true),
    Date        = "sys_updated_at",
    CreatedDate = "sys_updated_at",
    FromState   = call_state(from_state),
    ToState     = call_state(to_state),
  },
}
