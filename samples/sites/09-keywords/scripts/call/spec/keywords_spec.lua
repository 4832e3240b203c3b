describe("a new call", function()
  before_each(function(desk) if not desk.first("service", 'Name == "Printing"') then desk:service { Name = "Printing" } end end)

  it("gets its service by a word in its title, whatever its case", function(desk)
    local printing = desk.first("service", 'Name == "Printing"')
    expect(desk:create("incident", { ShortDescription = "TONER is empty" })):has { Service = printing.Ref }
    expect(desk:create("incident", { ShortDescription = "Something else" })):has { Service = null }
  end)

  it("keeps its reference, priority and history", function(desk)
    local call = desk:create("incident", { ShortDescription = "Toner", Impact = 1, Urgency = 1 })
    expect(call):has { Priority = 1 }
    expect(call.CallRef):matches "^INC%-"
    expect(#call:history()):equals(1)
  end)
end)
