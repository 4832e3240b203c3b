describe("fields of a call", function()
  it("that users do not read are none for them", function(desk)
    local user = desk:as "user"
    expect(user:get("call", { ["$select"] = "ClockStoppedDate" }).status):equals(400)
    expect(desk:get("call", { ["$select"] = "ClockStoppedDate" }).status):equals(200)
  end)

  it("that users do not write are refused", function(desk)
    expect(desk:as "user"):refuses("create", "incident", { ShortDescription = "No ink", Priority = 1 }, "Priority")
  end)
end)
