return extension "AssignmentState" {
  description = "Whose turn it is: AssignedToMe, AssignedToMyGroup, AssignedToOther, Unassigned or Closed.",
  returns     = "Text",
  needs       = { "State", "Analyst", "Group" },
  values = function(calls, session)
    local closed, me, mine, states = { [2] = true, [5] = true }, session.user_id, {}, {}
    for _, group in ipairs(session.groups or {}) do mine[group] = true end
    local function turn(call)
      if closed[call.State] then return "Closed" end
      local analyst = call.Analyst
      if analyst then return analyst == me and "AssignedToMe" or "AssignedToOther" end
      local group = call.Group
      if group then return mine[group] and "AssignedToMyGroup" or "AssignedToOther" end
      return "Unassigned"
    end
    for i, call in ipairs(calls) do states[i] = turn(call) end
    return states
  end,
}
