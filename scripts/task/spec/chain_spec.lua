-- A chain of tasks, each waiting for the one before it.
local pending, active, suspended, closed, skipped = 0, 1, 2, 3, 4

local function task(desk, state, predecessor, values)
  local all = { State = state, Title = "Order it", Request = 1, Predecessor = predecessor and predecessor.Ref }
  for name, value in pairs(values or {}) do all[name] = value end
  return desk:task(all)
end

describe("a task that is deleted", function()
  it("lets the one behind it begin where nothing stands before them", function(desk)
    local first = task(desk, active)
    local second = task(desk, pending, first)
    first:delete()
    expect(second):has { State = active, Predecessor = null }
  end)

  it("leaves the one behind it to what it waited for", function(desk)
    local first = task(desk, active)
    local second = task(desk, pending, first)
    local third = task(desk, pending, second)
    second:delete()
    expect(third):has { State = pending, Predecessor = first.Ref }
  end)

  it("lets the one behind it begin where what it waited for is done", function(desk)
    local second = task(desk, active, task(desk, closed))
    local third = task(desk, pending, second)
    second:delete()
    expect(third):has { State = active }
  end)

  it("keeps the one behind it waiting for an approval before a task that was skipped", function(desk)
    local approval = desk:approval { State = pending, Title = "May we?", Request = 1 }
    local second = task(desk, active, task(desk, skipped, approval))
    local third = task(desk, pending, second)
    second:delete()
    expect(third):has { State = pending }
  end)

  it("leaves those alone that are under way", function(desk)
    local first = task(desk, active)
    local second = task(desk, suspended, first)
    first:delete()
    expect(second):has { State = suspended }
  end)

  it("is open, and is told of", function(desk)
    local gone = task(desk, active)
    gone:delete()
    expect(gone):raised "Deleted"
    expect(task(desk, closed)):withholds "delete"
  end)
end)

describe("a task behind one that is skipped", function()
  for _, state in ipairs { active, suspended, closed } do
    it("does not ask for approvals beyond a task in state " .. state, function(desk)
      local approval = desk:approval { State = pending, Title = "May we?", Request = 1 }
      local third = task(desk, pending, task(desk, state, approval))
      local fourth = task(desk, pending, third)
      third:skip { Description = "Not needed." }
      expect(fourth):has { State = active }
    end)
  end
end)

describe("a task", function()
  it("keeps the day on which it began while it was put aside", function(desk)
    desk:at "2026-03-02 09:00"
    local one = task(desk, pending)
    one:activate()
    desk:advance "1d"
    one:suspend()
    one:resume()
    expect(one):has { ActivatedDate = "2026-03-02T09:00Z" }
  end)

  it("is told of when it is made, changed and taken note of", function(desk)
    local made = desk:create("task", { Title = "Order it", Request = 1 })
    expect(made):raised "Created"
    made:update { Title = "Order two" }
    expect(made):raised "Updated"
    made:take_ownership():acknowledge()
    expect(made):raised "Acknowledged"
  end)

  it("is changed while it is open", function(desk)
    expect(task(desk, suspended)):offers "update"
    expect(task(desk, closed)):withholds "update"
  end)

  it("is taken by whoever has it not yet", function(desk)
    expect(task(desk, active)):offers "take-ownership"
    expect(task(desk, active, nil, { Analyst = desk:as("analyst2").me })):offers "take-ownership"
    expect(task(desk, active, nil, { Analyst = desk.me })):withholds "take-ownership"
  end)

  it("keeps its group where it is handed to an analyst, and goes to another group with its people", function(desk)
    local one = task(desk, active, nil, { Group = 1 })
    one:forward { ReceivingAnalyst = desk.me }
    expect(one):has { Group = 1 }
    one:forward { ReceivingGroup = 3 }
    expect(one):has { Group = 3 }
  end)
end)
