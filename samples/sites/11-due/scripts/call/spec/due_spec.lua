describe("what the desk does by itself", function()
  it("warns once, an hour before a call is due", function(desk)
    local call = desk:call { State = 1, IsWarned = false, DueDate = "2026-12-01T12:00:00Z" }
    desk:run_due()
    expect(call).never:raised "DueSoon"
    desk:advance "2h 30m"
    desk:run_due()
    desk:run_due()
    expect(call):has { IsWarned = true }
    expect(call):raised "DueSoon"
  end)
end)
