describe("merging", function()
  it("closes the one and leaves a note at the other, in one step", function(desk)
    local other = desk:create("incident", { ShortDescription = "No ink" })
    local call = desk:create("incident", { ShortDescription = "The printer is empty" })
    call:act("merge-into", { Other = other })
    expect(call):has { State = 2 }
    local rows = other:history()
    expect(rows[#rows].Action):equals "add-note"
    expect(rows[#rows].Description):contains(call.CallRef)
  end)

  it("is for another call alone", function(desk)
    local call = desk:create("incident", { ShortDescription = "No ink" })
    expect(call):refuses("merge-into", { Other = call }, "give another call")
  end)
end)
