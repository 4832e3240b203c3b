describe("an analyst", function()
  it("sees calls of the own groups, and those of none", function(desk)
    local mine, other = desk.first("group-member", "Person == ?", desk.me).Group, nil
    for _, each in ipairs(desk.search("group-member", "Person != ?", desk.me)) do
      if desk.count("group-member", "Person == ? && Group == ?", desk.me, each.Group) == 0 then other = each.Group end
    end
    local sees = function(call) return desk.count("call", "Ref == ?", call) == 1 end
    expect(sees(desk:call { State = 1, Group = mine })):is_true()
    expect(sees(desk:call { State = 1, Group = other })):is_false()
    expect(sees(desk:call { State = 1 })):is_true()
  end)
end)
