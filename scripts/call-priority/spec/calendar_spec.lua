describe("a priority", function()
  local missing = "Calendar: there is no calendar 'nowhere'"

  it("counts the hours of a calendar that there is", function(desk)
    local priority = desk:as("admin"):create("call-priority", { Name = "Office hours", Calendar = "vienna" })
    expect(priority):refuses("update", { Calendar = "nowhere" }, missing)
    priority:update { Calendar = null }
    expect(priority.Calendar):is_nil()
  end)

  it("is not made with another", function(desk)
    expect(desk:as "admin"):refuses("create", "call-priority", { Name = "Lost", Calendar = "nowhere" }, missing)
  end)
end)
