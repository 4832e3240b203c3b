describe("calls of a group", function()
  it("go to its members in turn", function(desk)
    local group = desk.first("group-member", "Ref > 0").Group
    local members, given = desk.count("group-member", "Group == ?", group), {}
    for i = 1, members + 1 do
      desk:advance "1m"
      local call = desk:create("incident", { ShortDescription = "No " .. i })
      given[i] = call:forward { ReceivingGroup = group }.Analyst
      for earlier = 1, i - 1 do
        if i <= members then expect(given[earlier]).never:equals(given[i]) end
      end
    end
    expect(given[members + 1]):equals(given[1])
  end)
end)
