return extension "AssignmentState" {
  description = "Whose turn it is: AssignedToMe, AssignedToMyGroup, AssignedToOther, Unassigned or Closed.",
  returns     = "Text",
  needs       = { "State", "Analyst", "Group" },
  values = function(calls, session)
    local closed, mine, states = { [2] = true, [5] = true }, {}, {}
    for _, group in ipairs(session.groups or {}) do mine[group] = true end
    for i, call in ipairs(calls) do
      if closed[call.State] then states[i] = "Closed"
      elseif call.Analyst then states[i] = call.Analyst == session.user_id and "AssignedToMe" or "AssignedToOther"
      elseif call.Group then states[i] = mine[call.Group] and "AssignedToMyGroup" or "AssignedToOther"
      else states[i] = "Unassigned" end
    end
    return states
  end,
}
