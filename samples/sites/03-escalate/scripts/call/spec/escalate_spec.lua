describe("escalating", function()
  it("raises the priority by one, and not beyond the first", function(desk)
    local call = desk:call { State = 1, Priority = 2 }
    call:escalate { Description = "The till stands still." }
    expect(call):has { Priority = 1 }
    expect(call):raised "Escalated"
    expect(call):withholds "escalate"
    expect(desk:call { State = 2, Priority = 3 }):withholds "escalate"
  end)
end)
