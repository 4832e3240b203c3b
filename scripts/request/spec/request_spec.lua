local states = { [0] = "New", "AwaitingAuthorization", "Open", "Suspended", "Closed", "Cancelled" }

-- What each action needs where it is offered, and the state afterwards (none: it stays).
local actions = {
  { "submit",         from = { 0 }, to = 2, raises = "Submitted" },
  { "authorize",      from = { 1 }, to = 2, raises = "Authorized" },
  { "reject",         from = { 1 }, { Description = "Too dear." }, to = 5, raises = "Rejected" },
  { "suspend",        from = { 2 }, to = 3, raises = "Suspended" },
  { "resume",         from = { 3 }, to = 2, raises = "Resumed" },
  { "complete",       from = { 2 }, to = 4, raises = "Completed" },
  { "cancel",         from = { 0, 1, 2, 3 }, { Description = "Not needed." }, to = 5, raises = "Cancelled" },
  { "reopen",         from = { 4, 5 }, to = 2, raises = "Reopened" },
  { "add-note",       from = { 0, 1, 2, 3 }, { Description = "Seen." }, raises = "NoteAdded" },
  { "take-ownership", from = { 1, 2, 3 }, raises = "OwnershipTaken" },
}

for _, action in ipairs(actions) do
  describe(action[1] .. " of a request", function()
    for state = 0, 5 do
      if lists.contains(action.from, state) then
        it("is offered in state " .. states[state], function(desk)
          local request = desk:request { State = state, Title = "New notebook" }
          expect(request):offers(action[1])
          request:act(action[1], action[2])
          expect(request.State):equals(action.to or state)
          expect(request):raised(action.raises, "ActionAddedtoHistory")
          expect(request:history()):has { { Action = action[1], FromState = state, ToState = action.to or state } }
        end)
      else
        it("is refused in state " .. states[state], function(desk)
          local request = desk:request { State = state, Title = "New notebook" }
          expect(request):withholds(action[1])
          expect(request):refuses(action[1], action[2] or {}, "NotAllowed")
        end)
      end
    end
  end)
end

describe("creating a request", function()
  it("needs a title", function(desk)
    expect(desk):refuses("create", "request", { Description = "Please." }, "Title")
  end)

  it("opens it", function(desk)
    expect(desk:create("request", { Title = "New notebook" }).State):equals(2)
  end)

  it("keeps it New with Submit = false", function(desk)
    expect(desk:create("request", { Title = "New notebook", ["$action"] = { Submit = false } }).State):equals(0)
  end)

  it("has it wait for an authorization where its template asks for one", function(desk)
    expect(desk:create("request", { Title = "For Jonas", Template = 1 }).State):equals(1)
    expect(desk:create("request", { Title = "For Jonas", Template = 2 }).State):equals(2)
  end)

  it("makes the person of a User session its user", function(desk)
    local user = desk:as "user"
    expect(user:create("request", { Title = "New notebook" }).User):equals(user.me.Ref)
  end)
end)

describe("submitting a request", function()
  it("has it wait for an authorization where its template asks for one", function(desk)
    local request = desk:request { State = 0, Title = "For Jonas", Template = 1 }
    request:submit()
    expect(request.State):equals(1)
  end)
end)

describe("the template of a request", function()
  local function tasks_of(desk, request) return desk:search("task", "Request == " .. request.Ref) end

  it("makes its tasks in their order, each waiting for the one before", function(desk)
    local request = desk:create("request", { Title = "For Jonas", Template = 1 })
    local tasks = tasks_of(desk, request)
    expect(#tasks):equals(5)
    expect(tasks[1]):has { Title = "Approve the equipment", Predecessor = null, State = 1 }
    for i = 2, 5 do expect(tasks[i]):has { Predecessor = tasks[i - 1], State = 0 } end
    expect(tasks[3].Title):equals "Prepare the notebook"
  end)

  it("makes an approval where a step is one", function(desk)
    local request = desk:create("request", { Title = "For Jonas", Template = 1 })
    local approvals = desk:search("approval", "Request == " .. request.Ref)
    expect(#approvals):equals(1)
    expect(approvals[1].Title):equals "Approve the equipment"
  end)

  it("makes none before the request is submitted", function(desk)
    local request = desk:create("request", { Title = "For Jonas", Template = 1, ["$action"] = { Submit = false } })
    expect(#tasks_of(desk, request)):equals(0)
    request:submit()
    expect(#tasks_of(desk, request)):equals(5)
  end)
end)

describe("completing a request", function()
  it("is refused while a task is open", function(desk)
    local request = desk:request { State = 2, Title = "New notebook" }
    for state = 0, 2 do
      local task = desk:task { Request = request, Title = "Order it", State = state }
      expect(request):refuses("complete", "1 of its tasks are open")
      if state == 2 then task:resume() end
      task:skip { Description = "Not needed." }
    end
    request:complete()
    expect(request.State):equals(4)
  end)

  it("is done with Force while tasks are open", function(desk)
    local request = desk:request { State = 2, Title = "New notebook" }
    desk:task { Request = request, Title = "Order it", State = 1 }
    request:complete { Force = true }
    expect(request.State):equals(4)
  end)

  it("notes how far it was implemented, and when it was closed", function(desk)
    local request = desk:request { State = 2, Title = "New notebook" }
    request:complete { ImplementationState = "Partly implemented" }
    expect(request):has { ImplementationState = "Partly implemented", ClosedDate = desk:now() }
  end)
end)

describe("cancelling a request", function()
  it("needs a description", function(desk)
    expect(desk:request { State = 2, Title = "New notebook" }):refuses("cancel", {}, "Description")
  end)

  it("skips its open tasks and leaves the others", function(desk)
    local request, tasks = desk:request { State = 2, Title = "New notebook" }, {}
    for state = 0, 4 do tasks[state] = desk:task { Request = request, Title = "Step", State = state } end
    request:cancel { Description = "Not needed." }
    for state = 0, 2 do expect(tasks[state].State):equals(4) end
    expect(tasks[3].State):equals(3)
  end)

  it("sets no task going that waited for a skipped one", function(desk)
    local request = desk:request { State = 2, Title = "New notebook" }
    local first = desk:task { Request = request, Title = "Order it", State = 1 }
    local second = desk:task { Request = request, Title = "Hand it over", State = 0, Predecessor = first }
    request:cancel { Description = "Not needed." }
    expect(first.State):equals(4)
    expect(second.State):equals(4)
    expect(second).never:raised "Activated"
  end)
end)

describe("rejecting a request", function()
  it("needs a description, and skips its tasks", function(desk)
    local request = desk:request { State = 1, Title = "New notebook" }
    local task = desk:task { Request = request, Title = "Order it", State = 1 }
    expect(request):refuses("reject", {}, "Description")
    request:reject { Description = "Too dear." }
    expect(request.State):equals(5)
    expect(task.State):equals(4)
  end)
end)

describe("suspending a request", function()
  it("takes a date, which resuming clears", function(desk)
    local request = desk:request { State = 2, Title = "New notebook" }
    request:suspend { SuspendUntil = "2026-12-24T09:00Z" }
    expect(request.SuspendUntil):equals "2026-12-24T09:00Z"
    request:resume()
    expect(request.SuspendUntil):is_nil()
  end)
end)

describe("reopening a request", function()
  it("clears the date of closing", function(desk)
    local request = desk:request { State = 2, Title = "New notebook" }
    request:complete()
    request:reopen()
    expect(request.ClosedDate):is_nil()
  end)
end)

describe("forwarding a request", function()
  for state = 0, 3 do
    it("makes a group and an analyst responsible in state " .. states[state], function(desk)
      local request, colleague = desk:request { State = state, Title = "New notebook" }, desk:as("analyst2").me
      request:forward { ReceivingGroup = 3, ReceivingAnalyst = colleague }
      expect(request):has { Group = 3, Analyst = colleague }
      expect(request):raised "Forwarded"
    end)
  end

  for state = 4, 5 do
    it("is refused in state " .. states[state], function(desk)
      local request = desk:request { State = state, Title = "New notebook" }
      expect(request):refuses("forward", { ReceivingGroup = 3 }, "NotAllowed")
    end)
  end

  it("submits a new one", function(desk)
    local request = desk:request { State = 0, Title = "New notebook" }
    request:forward { ReceivingGroup = 3 }
    expect(request.State):equals(2)
  end)

  it("needs a receiver, who is an analyst", function(desk)
    local request = desk:request { State = 2, Title = "New notebook" }
    expect(request):refuses("forward", {}, "ReceivingAnalyst")
    expect(request):refuses("forward", { ReceivingAnalyst = desk:as("user").me }, "no analyst")
  end)
end)

describe("acknowledging a request", function()
  it("is offered of mine and my group's, once", function(desk)
    local mine = desk:request { State = 2, Title = "New notebook", Analyst = desk.me }
    expect(desk:request { State = 2, Title = "New notebook", Group = 1 }):offers "acknowledge"
    expect(desk:request { State = 2, Title = "New notebook", Group = 3 }):withholds "acknowledge"
    mine:acknowledge()
    expect(mine.AcknowledgedDate):equals(desk:now())
    expect(mine):withholds "acknowledge"
  end)
end)

describe("users", function()
  it("see their own requests alone", function(desk)
    local own = desk:request { State = 2, Title = "Mine", User = desk:as("user").me }
    local other = desk:request { State = 2, Title = "Not mine", User = desk:as("user2").me }
    expect(desk:as("user"):find("request", own.Ref)):equals(own)
    expect(desk:as("user"):find("request", other.Ref)):is_nil()
  end)

  for _, action in ipairs { "authorize", "reject", "suspend", "complete", "forward", "take-ownership" } do
    it("may not " .. action .. " their own requests", function(desk)
      local state = (action == "authorize" or action == "reject") and 1 or 2
      local request = desk:request { State = state, Title = "Mine", User = desk:as("user").me }
      expect(request:as "user"):withholds(action)
      expect(request:as "user"):refuses(action, 403)
    end)
  end
end)

describe("a request that is not mine", function()
  it("gets no note from me", function(desk)
    local request = desk:as("user2"):create("request", { Title = "New notebook" })
    expect(request):offers "add-note"
    expect(request:as "user"):refuses("add-note", { Description = "Hurry." }, 404)
    expect(request):refuses("add-note", {}, "Description")
  end)

  it("is not taken back by me", function(desk)
    local request = desk:as("user2"):create("request", { Title = "New notebook", ["$action"] = { Submit = false } })
    expect(request:as "user"):refuses("delete", 404)
    request:delete()
    expect(request):raised "Deleted"
  end)

  it("is not taken back once it is submitted", function(desk)
    expect(desk:as("user"):create("request", { Title = "New notebook" })):withholds "delete"
  end)
end)

describe("taking a request over", function()
  it("is offered of what is nobody's, or another's, not of one's own", function(desk)
    expect(desk:request { State = 2, Title = "New notebook" }):offers "take-ownership"
    expect(desk:request { State = 2, Title = "New notebook", Analyst = desk:as("analyst2").me }):offers "take-ownership"
    expect(desk:request { State = 2, Title = "New notebook", Analyst = desk.me }):withholds "take-ownership"
  end)
end)

describe("taking note of a request", function()
  for _, state in ipairs { 0, 4, 5 } do
    it("is not offered in state " .. states[state], function(desk)
      expect(desk:request { State = state, Title = "New notebook", Analyst = desk.me }):withholds "acknowledge"
    end)
  end

  it("raises its event, and is done once", function(desk)
    local request = desk:request { State = 2, Title = "New notebook", Analyst = desk.me }
    request:acknowledge()
    expect(request):raised "Acknowledged"
    expect(request):withholds "acknowledge"
  end)
end)

describe("a new request", function()
  it("raises an event, and so does its change", function(desk)
    local request = desk:create("request", { Title = "New notebook" })
    request:update { Title = "Newer notebook" }
    expect(request):raised("Created", "Updated")
  end)

  it("keeps its own service and group, and takes those that it lacks from its template", function(desk)
    local template = desk.first("request-template", "Service != null && Group != null")
    local plain = desk:create("request", { Title = "New notebook", Template = template.Ref })
    expect(plain):has { Service = template.Service, Group = template.Group }
    local other = desk.first("service", "Ref != ?", template.Service).Ref
    local own = desk:create("request", { Title = "New notebook", Template = template.Ref, Service = other })
    expect(own):has { Service = other, Group = template.Group }
  end)
end)

describe("a request that came from elsewhere while it waited for an authorization", function()
  it("brings no tasks of its template, which it may have had there", function(desk)
    local request = desk:request { State = 1, Title = "For Jonas", Template = 1, NeedsAuthorization = true }
    request:authorize()
    expect(request):has { State = 2 }
    expect(desk.count("task", "Request == ?", request.Ref)):equals(0)
  end)
end)
