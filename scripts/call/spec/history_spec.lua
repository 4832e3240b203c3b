-- Each action that changes something writes one row and raises its event with ActionAddedtoHistory.
local actions = {
  { "submit", state = 0, raises = "Submitted", to = 1 },
  { "update", { ShortDescription = "Plotter" }, raises = "Updated", to = 1 },
  { "forward", { ReceivingGroup = 3, Description = "said" }, raises = "Forwarded", to = 1 },
  { "defer", { Description = "said" }, raises = "Deferred", to = 1 },
  { "take-ownership", { Description = "said" }, raises = "OwnershipTaken", title = "Take ownership", to = 1 },
  { "acknowledge", { Description = "said" }, raises = "Acknowledged", group = 1, to = 1 },
  { "resolve", { Description = "said" }, raises = "Resolved", to = 3 },
  { "close", { Description = "said" }, raises = "Closed", to = 2 },
  { "reopen", { Description = "said" }, state = 2, raises = "Reopened", to = 1 },
  { "add-note", { Description = "said" }, raises = "NoteAdded", title = "Add note", to = 1 },
  { "stop-clock", { Description = "said" }, raises = "ClockStopped", title = "Stop clock", to = 1 },
  { "start-clock", { Description = "said" }, stopped = true, raises = "ClockStarted", title = "Start clock", to = 1 },
  { "delete", state = 0, raises = "Deleted", to = 0 },
}

local function given(desk, action)
  return desk:call {
    State = action.state or 1, ClockStopped = action.stopped or false, Group = action.group, LastHistoryOrder = 4,
    Description = "The call's own.",
  }
end

local function capitalized(name) return name:sub(1, 1):upper() .. name:sub(2) end

for _, action in ipairs(actions) do
  describe(action[1] .. " of a call", function()
    if action[1] ~= "delete" then
      it("writes one row of history, the next", function(desk)
        local call = given(desk, action)
        call:act(action[1], action[2])
        expect(call.LastHistoryOrder):equals(5)
        local history = call:history()
        expect(#history):equals(1)
        expect(history[1]):has {
          Order = 5, Action = action[1], ActionTitle = action.title or capitalized(action[1]), Analyst = desk.me,
          Date = desk:now(), FromState = action.state or 1, ToState = action.to,
          Description = action[2] and action[2].Description or null,
        }
      end)
    end

    it("raises " .. action.raises .. " and ActionAddedtoHistory", function(desk)
      local call = given(desk, action)
      call:act(action[1], action[2])
      expect(desk:events(call)):equals { action.raises, "ActionAddedtoHistory" }
    end)

    it("leaves the call's own description as it is", function(desk)
      local call = given(desk, action)
      call:act(action[1], action[2])
      expect(call.Description):equals "The call's own."
    end)
  end)
end

describe("the history of a call", function()
  it("cannot be written or changed by hand", function(desk)
    expect(desk):refuses("create", "call-history", { TicketId = 1, Order = 99 }, 405)
    expect(desk:as("admin"):put("call-history/1", { Description = "x" }).status).never:equals(200)
  end)

  it("keeps nothing of an action that was refused", function(desk)
    local call = desk:call { State = 1 }
    expect(call):refuses("forward", { ReceivingAnalyst = desk:as("user").me })
    expect(#call:history()):equals(0)
    expect(desk:events()):equals {}
  end)
end)
