describe("a change request", function()
  it("waits for somebody else's approval, as an open call", function(desk)
    local change = desk:create("change-request", { ShortDescription = "Another switch" })
    change:act "take-ownership"
    change:act "ask-approval"
    expect(change):satisfies "@IsOpen"
    expect(change):withholds "approve"
    change:as("analyst2"):act "approve"
    expect(change):has { State = 1 }
  end)
end)
