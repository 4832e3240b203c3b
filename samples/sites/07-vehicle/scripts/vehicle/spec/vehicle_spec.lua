describe("a vehicle", function()
  it("goes to the shop and comes back, and its states have names", function(desk)
    local car = desk:create("vehicle", { Plate = "w-1" })
    expect(car):has { State = 0, Plate = "W-1" }
    car:act "repair"
    expect(desk:get("vehicle", { ["$select"] = "State.Name" }).body.results[1].State.Name):equals "In the shop"
    car:act "return"
    expect(car):offers "repair"
  end)

  it("is what a call may be about", function(desk)
    local call = desk:create("incident", { ShortDescription = "It squeaks", Vehicle = desk:create("vehicle", { Plate = "w-2" }) })
    expect(call):satisfies 'Vehicle.Plate == "W-2"'
  end)
end)
