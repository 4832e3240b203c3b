-- Templates 1 and 4 of the samples ask for an authorization, 2 and 3 do not.
local asking, plain = 1, 2
local unasked = { without = "authorize" }
local bypass = { without = "authorize", where = "Template.NeedsAuthorization" }

local function own(desk, values)
  values.Title, values.User = values.Title or "A new MacBook Pro", desk:as("user").me
  return desk:request(values):as "user"
end

describe("a request whose template asks for an authorization", function()
  it("is never open without one, whatever its user does from its creation on", function(desk)
    local request = desk:as("user"):create("request", { Title = "A new MacBook Pro", Template = asking })
    expect(request.State):equals(1)
    expect(request):never_reaches("Open", unasked)
    expect(request).never:never_reaches("Cancelled", unasked)
  end)

  for state, name in pairs { [0] = "New", "AwaitingAuthorization", [5] = "Cancelled" } do
    it("is never open without one from " .. name .. " on", function(desk)
      expect(own(desk, { State = state, Template = asking })):never_reaches("Open", bypass)
    end)
  end

  it("is never open without one, whatever analysts do beside its user", function(desk)
    local request = own(desk, { State = 1, Template = asking })
    expect(request):never_reaches("Open", { without = "authorize", as = { "user", "analyst" }, depth = 2 })
  end)

  it("is open once it is authorized, and stays authorized", function(desk)
    local request = own(desk, { State = 1, Template = asking })
    request:as("analyst"):authorize()
    expect(request):has { State = 2, NeedsAuthorization = true, AuthorizedDate = desk:now() }
    request:cancel { Description = "Not now." }
    request:reopen()
    expect(request.State):equals(2)
  end)

  it("waits again when it is reopened after it was cancelled", function(desk)
    local request = own(desk, { State = 1, Template = asking })
    request:cancel { Description = "Not now." }
    request:reopen()
    expect(request):has { State = 1, ClosedDate = null }
    expect(request:as "analyst"):offers "authorize"
  end)

  it("waits, and gets its tasks, when it is reopened without ever having been handed in", function(desk)
    local request = desk:as("user"):create("request", { Title = "For Jonas", Template = asking, ["$action"] = { Submit = false } })
    request:cancel { Description = "Not now." }
    request:reopen()
    expect(request.State):equals(1)
    expect(#desk:search("task", "Request == " .. request.Ref)):equals(5)
    request:cancel { Description = "Not now." }
    request:reopen()
    expect(#desk:search("task", "Request == " .. request.Ref)):equals(5)
  end)

  it("waits although its template asks for nothing any more", function(desk)
    local request = own(desk, { State = 1, Template = plain })
    expect(request):never_reaches("Open", unasked)
  end)

  it("stays open when it is resumed or reopened after it was done", function(desk)
    local request = own(desk, { State = 3, Template = asking })
    request:as("analyst"):resume()
    expect(request.State):equals(2)
    request:as("analyst"):complete { Force = true }
    request:reopen()
    expect(request.State):equals(2)
  end)
end)

describe("a request that was rejected", function()
  for _, template in ipairs { asking, plain } do
    it("is never open again by its user, with template " .. template, function(desk)
      local request = own(desk, { State = 1, Template = template })
      request:as("analyst"):reject { Description = "No budget." }
      expect(request):has { State = 5, RejectedDate = desk:now() }
      expect(request):withholds "reopen"
      expect(request):refuses("reopen", 403)
      expect(request):never_reaches "Open"
    end)

    it("waits for an authorization when an analyst reopens it, with template " .. template, function(desk)
      local request = own(desk, { State = 1, Template = template })
      request:as("analyst"):reject { Description = "No budget." }
      request:as("analyst"):reopen()
      expect(request.State):equals(1)
      expect(request):never_reaches "Open"
      request:as("analyst"):authorize()
      expect(request):has { State = 2, RejectedDate = null }
    end)
  end
end)

describe("the template of a request", function()
  it("is chosen until it is handed in", function(desk)
    local request = own(desk, { State = 0 })
    request:update { Template = plain }
    request:update { Template = asking }
    request:submit()
    expect(request):has { State = 1, SubmittedDate = desk:now(), NeedsAuthorization = true }
  end)

  for state = 1, 3 do
    it("is fixed in state " .. state, function(desk)
      for _, template in ipairs { plain, null } do
        local request = own(desk, { State = state, Template = asking })
        expect(request):refuses("update", { Template = template }, "Template: it is fixed")
        expect(request:as "analyst"):refuses("update", { Template = template }, "Template: it is fixed")
        expect(request:as "admin"):refuses("add-note", { Description = "x", Template = template }, "Template: it is fixed")
      end
      expect(own(desk, { State = state })):refuses("update", { Template = asking }, "Template: it is fixed")
    end)
  end

  it("is not changed by an action that leads elsewhere", function(desk)
    local request = own(desk, { State = 5, Template = asking })
    expect(request):refuses("reopen", { Template = plain }, "NotAllowed")
    expect(own(desk, { State = 1, Template = asking })):refuses("cancel", { Description = "x", Template = null }, "Template")
  end)
end)
