local states = {
  [0] = "Pending", "Active", "Suspended", "Closed", "Skipped", "Closed-Approved", "Closed-Rejected",
}

for _, action in ipairs { { "approve", to = 5, "Approved" }, { "reject", to = 6, "Rejected" } } do
  describe(action[1] .. " of an approval", function()
    it("is offered while it is Active", function(desk)
      local approval = desk:approval { State = 1, Title = "The notebook", Request = 1 }
      expect(approval):offers(action[1])
      approval:act(action[1], { Description = "Because." })
      expect(approval):has { State = action.to, ClosedDate = desk:now() }
      expect(approval):raised(action[2])
    end)

    for _, state in ipairs { 0, 2, 3, 4, 5, 6 } do
      it("is refused in state " .. states[state], function(desk)
        local approval = desk:approval { State = state, Title = "The notebook", Request = 1 }
        expect(approval):refuses(action[1], { Description = "Because." }, "NotAllowed")
      end)
    end

    it("is for its approver, analyst or not, and for no other user", function(desk)
      local approval = desk:approval { State = 1, Title = "The notebook", Request = 1, Approver = desk:as("user").me }
      expect(approval:as "user"):offers(action[1])
      expect(desk:as("user2"):find("approval", approval.Ref)):is_nil()
    end)
  end)
end

describe("an approval", function()
  it("belongs to a request or a call, at least one", function(desk)
    expect(desk):refuses("create", "approval", { Title = "The notebook" }, "Request")
    expect(desk:create("approval", { Title = "The notebook", Request = 1 }).State):equals(1)
    expect(desk:create("approval", { Title = "The notebook", Call = 2 }).State):equals(1)
  end)

  it("cannot be completed", function(desk)
    local approval = desk:approval { State = 1, Title = "The notebook", Request = 1 }
    expect(approval):withholds "complete"
    expect(approval):refuses("complete", 404)
  end)

  it("sets the tasks that wait for it going when it is approved", function(desk)
    local approval = desk:approval { State = 1, Title = "The notebook", Request = 1 }
    local task = desk:task { State = 0, Title = "Order it", Request = 1, Predecessor = approval }
    approval:approve()
    expect(task.State):equals(1)
  end)

  it("leaves them pending when it is rejected", function(desk)
    local approval = desk:approval { State = 1, Title = "The notebook", Request = 1 }
    local task = desk:task { State = 0, Title = "Order it", Request = 1, Predecessor = approval }
    approval:reject { Description = "Too dear." }
    expect(task.State):equals(0)
  end)

  it("is rejected with a description", function(desk)
    expect(desk:approval { State = 1, Title = "The notebook", Request = 1 }):refuses("reject", {}, "Description")
  end)

  it("is listed by itself where the API begins", function(desk)
    expect(desk:get("").body._links.approval).never:is_nil()
  end)

  it("is a task", function(desk)
    local approval = desk:approval { State = 1, Title = "The notebook", Request = 1 }
    expect(desk:find("task", approval.Ref)):equals(approval)
    approval:suspend()
    approval:resume()
    approval:skip { Description = "Not needed." }
    expect(approval.State):equals(4)
  end)
end)

describe("what waits for an approval", function()
  local function chain(desk, state)
    local approval = desk:approval { State = state or 1, Title = "The notebook", Request = 1 }
    local first = desk:task { State = 0, Title = "Order it", Request = 1, Predecessor = approval }
    return approval, first, desk:task { State = 0, Title = "Hand it over", Request = 1, Predecessor = first }
  end

  it("does not begin when the approval is skipped", function(desk)
    local approval, first = chain(desk)
    approval:skip { Description = "Not needed." }
    expect(first.State):equals(0)
  end)

  it("does not begin when the task between is skipped", function(desk)
    local approval, first, second = chain(desk)
    first:skip { Description = "Not needed." }
    expect(second.State):equals(0)
    approval:approve()
    expect(second.State):equals(1)
  end)

  it("does not begin when the task between is deleted", function(desk)
    local approval, first, second = chain(desk)
    first:delete()
    expect(second):has { State = 0, Predecessor = approval }
    approval:approve()
    expect(second.State):equals(1)
  end)

  it("does not begin when it is made behind an approval that was skipped or rejected", function(desk)
    for _, state in ipairs { 0, 1, 2, 4, 6 } do
      local approval = desk:approval { State = state, Title = "The notebook", Request = 1 }
      expect(desk:create("task", { Title = "Order it", Request = 1, Predecessor = approval }).State):equals(0)
    end
    local approval = desk:approval { State = 5, Title = "The notebook", Request = 1 }
    expect(desk:create("task", { Title = "Order it", Request = 1, Predecessor = approval }).State):equals(1)
  end)

  it("keeps the approval from being deleted", function(desk)
    local approval, first = chain(desk)
    expect(approval):refuses("delete", "400 NotAllowed")
    expect(approval):refuses("delete", "task " .. first.Ref)
    expect(first.State):equals(0)
  end)
end)

describe("asking for a decision", function()
  it("raises its event", function(desk)
    local request = desk:create("request", { Title = "New notebook" })
    expect(desk:create("approval", { Title = "Really?", Request = request.Ref })):raised "Created"
  end)
end)
