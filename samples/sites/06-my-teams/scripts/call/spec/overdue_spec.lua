describe("what my teams are late with", function()
  it("is open, of one of my groups, and due before now", function(desk)
    local mine = desk.first("group-member", "Person == ?", desk.me).Group
    local past, future = "2026-11-30T09:00:00Z", "2026-12-02T09:00:00Z"
    expect(desk:call { State = 1, Group = mine, DueDate = past }):satisfies "@MyTeamsOverdue"
    expect(desk:call { State = 2, Group = mine, DueDate = past }).never:satisfies "@MyTeamsOverdue"
    expect(desk:call { State = 1, Group = mine, DueDate = future }).never:satisfies "@MyTeamsOverdue"
    expect(desk:call { State = 1, DueDate = past }).never:satisfies "@MyTeamsOverdue"
  end)
end)
