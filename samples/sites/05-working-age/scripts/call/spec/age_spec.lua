describe("the working age of a call", function()
  it("leaves out nights, weekends and holidays", function(desk)
    local call = desk:call { State = 1, LoggedDate = "2026-12-24T14:00:00Z" }   -- Thursday, three o'clock in Vienna
    desk:at "2026-12-28 09:00"                                                   -- Monday, ten o'clock
    expect(call["@WorkingAge"]):equals(3)
  end)
end)
