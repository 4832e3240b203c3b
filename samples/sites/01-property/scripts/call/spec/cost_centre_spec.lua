describe("a cost centre", function()
  it("is kept in capitals, of every kind of call", function(desk)
    for _, kind in ipairs { "incident", "problem", "service-request" } do
      local call = desk:create(kind, { ShortDescription = "No ink", CostCentre = "at-4711" })
      expect(call):has { CostCentre = "AT-4711" }
    end
  end)
end)
