local states = { [0] = "Pending", "Active", "Suspended", "Closed", "Skipped" }

local actions = {
  { "activate",       from = { 0 }, to = 1, raises = "Activated" },
  { "suspend",        from = { 1 }, to = 2, raises = "Suspended" },
  { "resume",         from = { 2 }, to = 1, raises = "Resumed" },
  { "complete",       from = { 1 }, to = 3, raises = "Completed" },
  { "skip",           from = { 0, 1 }, { Description = "Not needed." }, to = 4, raises = "Skipped" },
  { "reopen",         from = { 3, 4 }, to = 1, raises = "Reopened" },
  { "forward",        from = { 0, 1, 2 }, { ReceivingGroup = 3 }, raises = "Forwarded" },
  { "take-ownership", from = { 1 }, raises = "OwnershipTaken" },
}

local function given(desk, state, values)
  values = values or {}
  values.State, values.Title, values.Request = state, values.Title or "Order it", values.Request or 1
  return desk:task(values)
end

for _, action in ipairs(actions) do
  describe(action[1] .. " of a task", function()
    for state = 0, 4 do
      if lists.contains(action.from, state) then
        it("is offered in state " .. states[state], function(desk)
          local task = given(desk, state)
          expect(task):offers(action[1])
          task:act(action[1], action[2])
          expect(task.State):equals(action.to or state)
          expect(task):raised(action.raises, "ActionAddedtoHistory")
        end)
      else
        it("is refused in state " .. states[state], function(desk)
          local task = given(desk, state)
          expect(task):withholds(action[1])
          expect(task):refuses(action[1], action[2] or {}, "NotAllowed")
        end)
      end
    end
  end)
end

describe("creating a task", function()
  it("needs a request and a title", function(desk)
    expect(desk):refuses("create", "task", { Title = "Order it" }, "Request")
    expect(desk):refuses("create", "task", { Request = 1 }, "Title")
  end)

  it("makes it Active where it waits for nothing", function(desk)
    expect(desk:create("task", { Request = 1, Title = "Order it" })):has { State = 1, ActivatedDate = desk:now() }
  end)

  for state = 0, 4 do
    local first = state >= 3 and 1 or 0
    it("makes it " .. states[first] .. " while its predecessor is " .. states[state], function(desk)
      local earlier = given(desk, state)
      local task = desk:create("task", { Request = 1, Title = "Hand it over", Predecessor = earlier })
      expect(task.State):equals(first)
    end)
  end
end)

describe("the tasks that wait for a task", function()
  for _, how in ipairs { { "complete" }, { "skip", { Description = "Not needed." } } } do
    it("become Active when it is done: " .. how[1], function(desk)
      local first = given(desk, 1)
      local second, third = given(desk, 0, { Predecessor = first }), given(desk, 0, { Predecessor = first })
      first:act(how[1], how[2])
      expect(second).never:raised "Completed"
      expect({ second.State, third.State }):equals { 1, 1 }
      expect(second):raised "Activated"
    end)
  end

  it("stay Pending while it is suspended", function(desk)
    local first = given(desk, 1)
    local second = given(desk, 0, { Predecessor = first })
    first:suspend()
    expect(second.State):equals(0)
  end)

  it("wait for their own predecessor, not for one further on", function(desk)
    local first = given(desk, 1)
    local second = given(desk, 0, { Predecessor = first })
    local third = given(desk, 0, { Predecessor = second })
    first:complete()
    expect({ second.State, third.State }):equals { 1, 0 }
  end)

  it("cannot wait for each other", function(desk)
    local first = given(desk, 0)
    local second = given(desk, 0, { Predecessor = first })
    expect(first):refuses("update", { Predecessor = second }, "cannot wait for itself")
  end)
end)

describe("skipping a task", function()
  it("needs a description", function(desk) expect(given(desk, 1)):refuses("skip", {}, "Description") end)
end)

describe("suspending a task", function()
  it("takes a date, which resuming clears", function(desk)
    local task = given(desk, 1)
    task:suspend { SuspendUntil = "2026-12-24T09:00Z" }
    expect(task.SuspendUntil):equals "2026-12-24T09:00Z"
    task:resume()
    expect(task.SuspendUntil):is_nil()
  end)
end)

describe("acknowledging a task", function()
  it("is offered of mine and my group's while it is Active, once", function(desk)
    local mine = given(desk, 1, { Analyst = desk.me })
    expect(given(desk, 1, { Group = 1 })):offers "acknowledge"
    expect(given(desk, 1, { Group = 3 })):withholds "acknowledge"
    expect(given(desk, 0, { Analyst = desk.me })):withholds "acknowledge"
    mine:acknowledge()
    expect(mine):withholds "acknowledge"
  end)
end)

describe("taking ownership of a task", function()
  it("makes me its analyst and is not offered of what is mine", function(desk)
    local task = given(desk, 1)
    task:take_ownership()
    expect(task.Analyst):equals(desk.me.Ref)
    expect(task):withholds "take-ownership"
  end)
end)
