-- What each action of a call demands and does.
describe("submitting a call", function()
  it("opens a new one", function(desk)
    local call = desk:call { State = 0 }
    call:submit()
    expect(call.State):equals(1)
    expect(call):raised "Submitted"
  end)

  for _, state in ipairs { 1, 3, 4 } do
    it("changes nothing in state " .. state .. ", writes no history and raises no event", function(desk)
      local call, before = desk:call { State = state }, desk:now()
      desk:advance "1h"
      call:submit()
      expect(call):has { State = state, UpdatedDate = before }
      expect(#call:history()):equals(0)
      expect(desk:events()):equals {}
    end)
  end
end)

describe("updating a call", function()
  it("changes what it names and nothing else", function(desk)
    local call = desk:call { State = 1, ShortDescription = "Printer", Description = "On the second floor" }
    call:update { ShortDescription = "Plotter" }
    expect(call):has { ShortDescription = "Plotter", Description = "On the second floor", State = 1 }
    expect(call):raised "Updated"
  end)

  it("needs at least one property", function(desk)
    expect(desk:call { State = 1 }):refuses("update", {}, "at least one property")
  end)

  it("writes no history and raises no event when it changes nothing", function(desk)
    local call = desk:call { State = 1, ShortDescription = "Printer" }
    call:update { ShortDescription = "Printer" }
    expect(#call:history()):equals(0)
    expect(desk:events()):equals {}
  end)

  for _, name in ipairs { "State", "Analyst", "ClosedDate", "LoggedBy", "CallRef" } do
    it("leaves " .. name .. " to the actions", function(desk)
      local value = ({ ClosedDate = "2026-12-01T09:00Z", CallRef = "CAL-1" })[name] or 3
      expect(desk:call { State = 1 }):refuses("update", { [name] = value }, name)
    end)
  end
end)

describe("forwarding a call", function()
  it("needs an analyst or a group", function(desk)
    expect(desk:call { State = 1 }):refuses("forward", { Description = "Yours." }, "ReceivingAnalyst")
  end)

  it("makes an analyst its analyst and leaves it with the group", function(desk)
    local call, colleague = desk:call { State = 1, Group = 2 }, desk:as("analyst2").me
    call:forward { ReceivingAnalyst = colleague }
    expect(call):has { Analyst = colleague, Group = 2, State = 1 }
    expect(call):raised "Forwarded"
  end)

  it("makes a group its group and nobody its analyst", function(desk)
    local call = desk:call { State = 1, Analyst = desk.me, Group = 2 }
    call:forward { ReceivingGroup = 3 }
    expect(call):has { Analyst = null, Group = 3 }
  end)

  it("takes an analyst of a group", function(desk)
    local call, colleague = desk:call { State = 1 }, desk:as("analyst2").me
    call:forward { ReceivingAnalyst = colleague, ReceivingGroup = 4 }
    expect(call):has { Analyst = colleague, Group = 4 }
  end)

  it("submits a new one", function(desk)
    local call = desk:call { State = 0 }
    call:forward { ReceivingGroup = 3 }
    expect(call.State):equals(1)
  end)

  for _, state in ipairs { 3, 4 } do
    it("leaves the state " .. state .. " as it is", function(desk)
      local call = desk:call { State = state }
      call:forward { ReceivingGroup = 3 }
      expect(call.State):equals(state)
    end)
  end

  it("takes a status and a date along", function(desk)
    local call = desk:call { State = 1 }
    call:forward { ReceivingGroup = 3, Status = 2, SuspendUntil = "2026-12-05T09:00Z" }
    expect(call):has { Status = 2, SuspendUntil = "2026-12-05T09:00Z" }
  end)

  it("is refused for a person who is no analyst", function(desk)
    expect(desk:call { State = 1 }):refuses("forward", { ReceivingAnalyst = desk:as("user").me }, "no analyst")
  end)

  it("is refused for a group that there is not", function(desk)
    expect(desk:call { State = 1 }):refuses("forward", { ReceivingGroup = 4711 }, "LinkedRecordNotFound")
  end)

  it("asks the receiver to acknowledge it anew", function(desk)
    local call = desk:call { State = 1, AcknowledgedDate = "2026-11-30T09:00Z" }
    call:forward { ReceivingGroup = 1 }
    expect(call.AcknowledgedDate):is_nil()
    expect(call):offers "acknowledge"
  end)
end)

describe("taking ownership of a call", function()
  it("makes me its analyst", function(desk)
    local call = desk:call { State = 1, Analyst = desk:as("analyst2").me }
    call:take_ownership { Description = "I know that printer." }
    expect(call.Analyst):equals(desk.me.Ref)
    expect(call):raised "OwnershipTaken"
  end)

  it("is not offered of what is mine", function(desk)
    local call = desk:call { State = 1, Analyst = desk.me }
    expect(call):withholds "take-ownership"
    expect(call):refuses("take-ownership", "NotAllowed")
  end)
end)

describe("acknowledging a call", function()
  for _, state in ipairs { 1, 3, 4 } do
    it("is offered of mine in state " .. state, function(desk)
      expect(desk:call { State = state, Analyst = desk.me }):offers "acknowledge"
    end)
  end

  for _, state in ipairs { 0, 2, 5 } do
    it("is refused of mine in state " .. state, function(desk)
      expect(desk:call { State = state, Analyst = desk.me }):refuses("acknowledge", "NotAllowed")
    end)
  end

  it("is offered of my group's", function(desk)
    expect(desk:call { State = 1, Group = 1 }):offers "acknowledge"
  end)

  it("is withheld of another group's, a colleague's and nobody's", function(desk)
    expect(desk:call { State = 1, Group = 3 }):withholds "acknowledge"
    expect(desk:call { State = 1, Analyst = desk:as("analyst2").me, Group = 1 }):withholds "acknowledge"
    expect(desk:call { State = 1 }):withholds "acknowledge"
  end)

  it("notes the date, once", function(desk)
    local call = desk:call { State = 1, Analyst = desk.me }
    call:acknowledge()
    expect(call.AcknowledgedDate):equals(desk:now())
    expect(call):raised "Acknowledged"
    expect(call):withholds "acknowledge"
  end)
end)

describe("resolving a call", function()
  it("needs a description", function(desk)
    expect(desk:call { State = 1 }):refuses("resolve", {}, "Description")
  end)

  for _, state in ipairs { 1, 4 } do
    it("moves state " .. state .. " to Open/Resolved and notes the date", function(desk)
      local call = desk:call { State = state }
      call:resolve { Description = "New drum." }
      expect(call):has { State = 3, ResolvedDate = desk:now(), ClosedDate = null }
      expect(call):raised "Resolved"
    end)
  end

  it("takes a reason, a solution and a status along", function(desk)
    local call = desk:call { State = 1 }
    call:resolve { Description = "New drum.", Reason = 2, Solution = "Change the drum.", Status = 5 }
    expect(call):has { Reason = 2, Solution = "Change the drum.", Status = 5 }
  end)
end)

describe("closing a call", function()
  it("needs a description", function(desk)
    expect(desk:call { State = 1 }):refuses("close", { Reason = 2 }, "Description")
  end)

  for _, state in ipairs { 1, 3, 4 } do
    it("moves state " .. state .. " to Closed", function(desk)
      local call = desk:call { State = state }
      call:close { Description = "Done." }
      expect(call):has { State = 2, ClosedDate = desk:now() }
      expect(call):raised "Closed"
    end)

    it("moves state " .. state .. " to Closed/Unresolved with Resolved = false", function(desk)
      local call = desk:call { State = state }
      call:close { Description = "Given up.", Resolved = false }
      expect(call):has { State = 5, ClosedDate = desk:now() }
    end)
  end

  it("resolves what was not resolved, and keeps the date of what was", function(desk)
    local open, resolved = desk:call { State = 1 }, desk:call { State = 3, ResolvedDate = "2026-11-30T09:00Z" }
    open:close { Description = "Done." }
    resolved:close { Description = "Confirmed." }
    expect(open.ResolvedDate):equals(desk:now())
    expect(resolved.ResolvedDate):equals "2026-11-30T09:00Z"
  end)

  it("takes a reason, a solution and a status along", function(desk)
    local call = desk:call { State = 1 }
    call:close { Description = "Done.", Reason = 2, Solution = "Change the drum.", Status = 7 }
    expect(call):has { Reason = 2, Solution = "Change the drum.", Status = 7 }
  end)
end)

describe("adding a note to a call", function()
  it("needs a description", function(desk)
    expect(desk:call { State = 1 }):refuses("add-note", {}, "Description")
  end)

  it("changes nothing but the history", function(desk)
    local call = desk:call { State = 2, Description = "On the second floor", ClosedDate = "2026-11-30T09:00Z" }
    call:add_note { Description = "The caller called again." }
    expect(call):has { State = 2, Description = "On the second floor", ClosedDate = "2026-11-30T09:00Z" }
    expect(call:history()):has { { Action = "add-note", Description = "The caller called again.", IsPublic = true } }
    expect(call):raised "NoteAdded"
  end)

  it("is for analysts alone with IsPublic = false", function(desk)
    local call = desk:call { State = 1, User = desk:as("user").me }
    call:add_note { Description = "Seen.", IsPublic = true }
    call:add_note { Description = "Not the printer, the person.", IsPublic = false }
    expect(#call:history()):equals(2)
    expect(call:as("user"):history()):has { { Description = "Seen." } }
  end)
end)

describe("deleting a call", function()
  it("takes a new one away, and keeps it stored", function(desk)
    local call = desk:call { State = 0 }
    call:delete()
    expect(desk:find("call", call.Ref)):is_nil()
    expect(#desk:search("call", "Ref == " .. call.Ref)):equals(0)
    expect(#desk:search("call", "@IsDeleted && Ref == " .. call.Ref)):equals(1)
    expect(call):raised "Deleted"
  end)

  it("is not supported once the call is submitted", function(desk)
    expect(desk:call { State = 1 }):refuses("delete", 405)
    expect(desk:call { State = 1 }):refuses("delete", "NotSupported")
  end)
end)
