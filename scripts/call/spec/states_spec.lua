-- Which actions a call offers in which state, to an analyst who has not locked it: the desk's table, cell by cell.
local states = { [0] = "New", "Open", "Closed", "Open/Resolved", "Open/Unresolved", "Closed/Unresolved" }

local actions = {
  { "submit",         offered_in = { 0, 1, 3, 4 } },
  { "update",         offered_in = { 0, 1, 3, 4 } },
  { "forward",        offered_in = { 0, 1, 3, 4 } },
  { "defer",          offered_in = { 1, 3, 4 } },
  { "take-ownership", offered_in = { 1, 3, 4 } },
  { "resolve",        offered_in = { 1, 4 } },
  { "close",          offered_in = { 1, 3, 4 } },
  { "reopen",         offered_in = { 2, 5 } },
  { "add-note",       offered_in = { 1, 2, 3, 4, 5 } },
  { "stop-clock",     offered_in = { 1, 3, 4 } },
  { "lock",           offered_in = { 0, 1, 2, 3, 4, 5 } },
  { "delete",         offered_in = { 0 }, refused_with = "405 NotSupported" },
}

local function names(list, is_in)
  local found = {}
  for state = 0, 5 do
    local listed = false
    for _, each in ipairs(list) do listed = listed or each == state end
    if listed == is_in then found[#found + 1] = state end
  end
  return found
end

for _, action in ipairs(actions) do
  describe(action[1] .. " of a call", function()
    for _, state in ipairs(names(action.offered_in, true)) do
      it("is offered in state " .. states[state], function(desk)
        expect(desk:call { State = state }):offers(action[1])
      end)
    end
    for _, state in ipairs(names(action.offered_in, false)) do
      it("is refused in state " .. states[state], function(desk)
        local call = desk:call { State = state }
        expect(call):withholds(action[1])
        expect(call):refuses(action[1], action.refused_with or "400 NotAllowed")
        expect(call):has { State = state }
      end)
    end
  end)
end
