describe("a user", function()
  it("reads the list of states", function(desk)
    expect(desk:as("user"):get("task-state")):has { status = 200 }
  end)

  it("reads the history of an approval that they give", function(desk)
    local user = desk:as("user").me
    local approval = desk:approval { State = 1, Title = "May we?", Request = 1, Approver = user, Analyst = user }
    approval:as("user"):approve()
    expect(#approval:as("user"):history()):equals(1)
  end)
end)
