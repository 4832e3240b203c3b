describe("the words that every filter has", function()
  it("@OrganizationId is that of the person, and null without one", function(desk)
    local mine = desk.me.Organization
    expect(desk.count("organization", "Ref == @OrganizationId")):equals(1)
    expect(desk.first("organization", "Ref == @OrganizationId").Ref):equals(mine)
    expect(desk:anonymous().count("knowledge-state", "Ref == @OrganizationId")):equals(0)
  end)

  it("@MyPartition counts those that are open, then is null", function(desk)
    local user = desk:as "user"
    expect(user.count("partition", "Ref == @MyPartition(1)")):equals(1)
    expect(user.count("partition", "Ref == @MyPartition(9)")):equals(0)
    local admin = desk:as "admin"
    expect(admin.first("partition", "Ref == @MyPartition(1)").Ref):equals(admin.me.Partition)
    expect(admin.count("partition", "Ref == @MyPartition(2)")):equals(0)
    expect(desk:anonymous().count("knowledge-state", "Ref == @MyPartition(1)")):equals(0)
  end)

  it("@IsDeleted tells the deleted from the others", function(desk)
    local record = desk:as("admin"):create("organization", { Name = "Labs" })
    record:delete()
    expect(desk:as("admin").count("organization", "@IsDeleted && Ref == ?", record.Ref)):equals(1)
    expect(desk:as("admin").count("organization", "!@IsDeleted && Ref == ?", record.Ref)):equals(0)
  end)

  it("@DateTime and @Guid say what they cannot read", function(desk)
    expect(function() desk.count("call", '@DateTime("soon") < LoggedDate') end):fails "ISO 8601"
    expect(function() desk.count("call", '@Guid("mine") == Id') end):fails "GUID"
    expect(desk.count("call", 'LoggedDate < @DateTime("2030-01-01T00:00:00Z")')):equals(desk.count "call")
    local call = desk.first "call"
    expect(desk.first("call", 'Id == @Guid("{' .. call.Id:upper() .. '}")').Ref):equals(call.Ref)
  end)
end)
