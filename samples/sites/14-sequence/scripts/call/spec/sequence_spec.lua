describe("the number of a call", function()
  local function number(desk) return desk:create("incident", { ShortDescription = "No ink" }).YearNumber end

  it("counts without gaps, and begins anew each year", function(desk)
    expect(number(desk)):equals(1)
    expect(number(desk)):equals(2)
    desk:at "2027-01-01 00:30"
    expect(number(desk)):equals(1)
  end)
end)
