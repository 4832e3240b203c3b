describe("closing", function()
  local how = { Description = "Done." }

  it("needs the cost centre of an incident, given now or before", function(desk)
    expect(desk:incident { State = 1 }):refuses("close", how, "CostCentre")
    expect(desk:incident { State = 1, CostCentre = "AT-1" }:close(how)):has { State = 2 }
    expect(desk:incident { State = 1 }:close { Description = "Done.", CostCentre = "AT-2" }):has { CostCentre = "AT-2" }
  end)

  it("needs none of a problem", function(desk)
    expect(desk:problem { State = 1 }:close(how)):has { State = 2 }
  end)
end)
