describe("creating a call", function()
  it("needs a description, short or long", function(desk)
    expect(desk):refuses("create", "call", { Impact = 1 }, "Description")
    expect(desk:create("call", { Description = "No dial tone since nine." }).State):equals(1)
    expect(desk:create("call", { ShortDescription = "No dial tone" }).State):equals(1)
  end)

  it("opens it at once", function(desk)
    expect(desk:create("call", { ShortDescription = "Printer" }).State):equals(1)
  end)

  it("keeps it New with Submit = false", function(desk)
    expect(desk:create("call", { ShortDescription = "Printer", ["$action"] = { Submit = false } }).State):equals(0)
  end)

  it("notes who logged it, and when", function(desk)
    local call = desk:create("call", { ShortDescription = "Printer" })
    expect(call):has { LoggedBy = desk.me, LoggedDate = desk:now() }
  end)

  it("leaves the state to the desk", function(desk)
    expect(desk):refuses("create", "call", { ShortDescription = "Printer", State = 2 }, "State")
  end)

  it("makes the person of a User session its user, who cannot name another", function(desk)
    local user = desk:as "user"
    expect(user:create("call", { ShortDescription = "Printer" }).User):equals(user.me.Ref)
    local body = { ShortDescription = "Printer", User = desk:as("user2").me }
    expect(user):refuses("create", "call", body, "LinkedRecordNotFound")
  end)

  it("lets an analyst name the user", function(desk)
    local call = desk:create("call", { ShortDescription = "Printer", User = desk:as("user2").me })
    expect(call.User):equals(desk:as("user2").me.Ref)
  end)

  it("is not for a session without a person", function(desk)
    expect(desk:anonymous()):refuses("create", "call", { ShortDescription = "Printer" }, 403)
  end)

  it("writes the first row of its history", function(desk)
    local history = desk:create("call", { ShortDescription = "Printer" }):history()
    expect(#history):equals(1)
    expect(history[1]):has { Order = 1, Action = "create", ActionTitle = "Create", ToState = 1, Analyst = desk.me }
  end)

  it("raises Created and ActionAddedtoHistory", function(desk)
    desk:create("call", { ShortDescription = "Printer" })
    expect(desk:events()):equals { "Created", "ActionAddedtoHistory" }
  end)

  it("forwards it to a ReceivingGroup, as a second row of its history", function(desk)
    local call = desk:create("call", { ShortDescription = "Printer", ReceivingGroup = 2 })
    expect(call.Group):equals(2)
    expect(call:history()):has { { Order = 1, Action = "create" }, { Order = 2, Action = "forward" } }
    expect(call):raised("Created", "Forwarded")
  end)
end)

describe("the priority of a call", function()
  local matrix = { { 1, 2, 3 }, { 2, 3, 4 }, { 3, 4, 4 } }
  for impact = 1, 3 do
    for urgency = 1, 3 do
      local priority = matrix[impact][urgency]
      it("is " .. priority .. " for impact " .. impact .. " and urgency " .. urgency, function(desk)
        local call = desk:create("call", { ShortDescription = "Printer", Impact = impact, Urgency = urgency })
        expect(call.Priority):equals(priority)
      end)
    end
  end

  it("is the given one where one is given", function(desk)
    local call = desk:create("call", { ShortDescription = "Printer", Impact = 1, Urgency = 1, Priority = 4 })
    expect(call.Priority):equals(4)
  end)

  it("follows when a change names the impact or the urgency alone", function(desk)
    local call = desk:create("call", { ShortDescription = "Printer", Impact = 1, Urgency = 1 })
    call:update { Impact = 3 }
    expect(call.Priority):equals(3)
    call:update { Urgency = 3 }
    expect(call.Priority):equals(4)
  end)

  it("stays as it was given while other things change", function(desk)
    local call = desk:create("call", { ShortDescription = "Printer", Impact = 1, Urgency = 1, Priority = 4 })
    call:update { ShortDescription = "Printer on the second floor" }
    expect(call.Priority):equals(4)
  end)

  it("is given along with an impact", function(desk)
    local call = desk:create("call", { ShortDescription = "Printer", Impact = 1, Urgency = 1 })
    call:update { Impact = 3, Priority = 2 }
    expect(call.Priority):equals(2)
  end)
end)

describe("the due date of a call", function()
  for priority, span in ipairs { "4h", "1d", "3d", "10d" } do
    it("is " .. span .. " after it was logged, for priority " .. priority, function(desk)
      local call = desk:create("call", { ShortDescription = "Printer", Priority = priority })
      desk:advance(span)
      expect(call.DueDate):equals(desk:now())
    end)
  end

  it("is the given one where one is given", function(desk)
    local call = desk:create("call", { ShortDescription = "Printer", Priority = 1, DueDate = "2026-12-24T12:00Z" })
    expect(call.DueDate):equals "2026-12-24T12:00Z"
  end)

  it("follows the priority when that changes, counted from the log date", function(desk)
    local call = desk:create("call", { ShortDescription = "Printer", Priority = 4 })
    desk:advance "1h"
    call:update { Priority = 1 }
    desk:advance "3h"
    expect(call.DueDate):equals(desk:now())
  end)

  it("is none without a priority", function(desk)
    expect(desk:create("call", { ShortDescription = "Printer" }).DueDate):is_nil()
  end)
end)
