describe("reopening a call", function()
  it("is offered only while the call is closed", function(desk)
    expect(desk:call { State = 2 }):offers "reopen"
    expect(desk:call { State = 1 }):withholds "reopen"
  end)

  scenario {
    "an analyst reopens a closed call",
    as      = "analyst",
    given   = { call = { State = 2, ClosedDate = "2026-11-30T09:00Z" } },
    request = "POST call/{call}/reopen",
    body    = { Description = "It is back." },
    status  = 200,
    expect  = { State = 1, ClosedDate = null },
    absent  = { "_actions.Reopen" },
    events  = { "Reopened" },
  }
end)
