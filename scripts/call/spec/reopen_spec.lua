describe("reopening a call", function()
  it("puts a closed call back to Open and an unresolved one to Open/Unresolved", function(desk)
    local closed, unresolved = desk:call { State = 2 }, desk:call { State = 5 }
    closed:reopen()
    unresolved:reopen()
    expect(closed.State):equals(1)
    expect(unresolved.State):equals(4)
  end)

  it("clears the dates of closing and resolving", function(desk)
    local call = desk:call { State = 2, ClosedDate = "2026-11-30T08:00Z", ResolvedDate = "2026-11-29T08:00Z" }
    call:reopen()
    expect(call):has { ClosedDate = null, ResolvedDate = null }
  end)

  it("forwards the call where it names a group", function(desk)
    local call = desk:call { State = 2, Analyst = desk:as("analyst2").me }
    call:reopen { ReceivingGroup = 3 }
    expect(call):has { Group = 3, Analyst = null }
    expect(call):raised("Reopened", "Forwarded")
  end)

  it("forwards the call where it names an analyst", function(desk)
    local call = desk:call { State = 5 }
    call:reopen { ReceivingAnalyst = desk:as("analyst2").me }
    expect(call.Analyst):equals(desk:as("analyst2").me.Ref)
  end)

  scenario {
    "answers the open call, which offers to close it and no more to reopen it",
    given   = { call = { State = 2, ClosedDate = "2026-11-30T09:00Z" } },
    request = "PUT call/{call}/reopen",
    body    = { Description = "It is back." },
    status  = 200,
    expect  = { State = 1, ClosedDate = null, _actions = { Close = {} } },
    absent  = { "_actions.Reopen" },
    events  = { "Reopened", "ActionAddedtoHistory" },
  }
end)
