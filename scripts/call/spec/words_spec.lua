local states = { [0] = "New", "Open", "Closed", "Open/Resolved", "Open/Unresolved", "Closed/Unresolved" }
local is_open, is_closed = { [1] = true, [3] = true, [4] = true }, { [2] = true, [5] = true }

for state = 0, 5 do
  describe("a call in state " .. states[state], function()
    it("is" .. (is_open[state] and "" or " not") .. " open", function(desk)
      local call = desk:call { State = state }
      if is_open[state] then expect(call):satisfies "@IsOpen" else expect(call).never:satisfies "@IsOpen" end
    end)

    it("is" .. (is_closed[state] and "" or " not") .. " closed", function(desk)
      local call = desk:call { State = state }
      if is_closed[state] then expect(call):satisfies "@IsClosed" else expect(call).never:satisfies "@IsClosed" end
    end)

    it("is" .. (is_open[state] and "" or " not") .. " assigned to me, its analyst", function(desk)
      local call = desk:call { State = state, Analyst = desk.me }
      if is_open[state] then expect(call):satisfies "@IsAssignedToMe"
      else expect(call).never:satisfies "@IsAssignedToMe" end
    end)
  end)
end

describe("@IsAssignedToMe", function()
  it("does not hold for a colleague's call, nor for nobody's", function(desk)
    expect(desk:call { State = 1, Analyst = desk:as("analyst2").me }).never:satisfies "@IsAssignedToMe"
    expect(desk:call { State = 1 }).never:satisfies "@IsAssignedToMe"
  end)
end)

describe("@AssignmentState", function()
  it("is AssignedToMe for my call", function(desk)
    expect(desk:call { State = 1, Analyst = desk.me, Group = 3 }["@AssignmentState"]):equals "AssignedToMe"
  end)

  it("is AssignedToMyGroup for a call of a group of mine that nobody has taken", function(desk)
    expect(desk:call { State = 1, Group = 2 }["@AssignmentState"]):equals "AssignedToMyGroup"
  end)

  it("is AssignedToOther for another group's call, and for a colleague's in my group", function(desk)
    expect(desk:call { State = 1, Group = 3 }["@AssignmentState"]):equals "AssignedToOther"
    local taken = desk:call { State = 1, Group = 2, Analyst = desk:as("analyst2").me }
    expect(taken["@AssignmentState"]):equals "AssignedToOther"
  end)

  it("is Unassigned for a call without analyst and group", function(desk)
    expect(desk:call { State = 1 }["@AssignmentState"]):equals "Unassigned"
  end)

  it("is Closed for a closed call, whosever it is", function(desk)
    expect(desk:call { State = 2, Analyst = desk.me }["@AssignmentState"]):equals "Closed"
    expect(desk:call { State = 5, Group = 2 }["@AssignmentState"]):equals "Closed"
  end)
end)

for _, each in ipairs { { "incident", "INC" }, { "problem", "PRB" }, { "service-request", "SRQ" } } do
  local entity, prefix = each[1], each[2]
  describe("a new " .. entity, function()
    it("follows the rules of calls", function(desk)
      local record = desk:create(entity, { ShortDescription = "Printer", Impact = 1, Urgency = 1 })
      expect(record):has { State = 1, Priority = 1 }
      record:close { Description = "Done." }
      expect(record):offers "reopen"
      expect(record.CallRef):matches("^" .. prefix .. "%-%d+$")
    end)
  end)
end
