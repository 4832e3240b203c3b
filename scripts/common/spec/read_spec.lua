-- Who reads the entities that have no other rule than who reads them.
local lists = {
  "asset-status", "call-impact", "call-priority", "call-reason", "call-state", "call-status", "call-type", "call-urgency",
  "configuration-item-type", "location", "organization", "request-state",
}

describe("a list that users choose from", function()
  for _, entity in ipairs(lists) do
    it("is read by users: " .. entity, function(desk)
      expect(desk:as("user").count(entity) > 0):is_true()
      expect(desk:as("user").count(entity)):equals(desk.count(entity))
      expect(function() desk:anonymous().count(entity) end):fails "may not read"
    end)
  end

  it("is read by everybody: knowledge-state", function(desk)
    expect(desk:anonymous().count "knowledge-state" > 0):is_true()
  end)
end)

describe("an entity without a rule of its own", function()
  it("is read by analysts alone: cmdb-link", function(desk)
    expect(desk.count "cmdb-link" > 0):is_true()
    expect(function() desk:as("user").count "cmdb-link" end):fails "may not read"
  end)
end)

describe("partitions", function()
  it("are read by users where they are open to them", function(desk)
    local user = desk:as "user"
    expect(user.count "partition" > 0):is_true()
    expect(user.count("partition", "Ref == ?", user.me.Partition)):equals(1)
    expect(user.count "partition" < desk:as("admin").count "partition"):is_true()
  end)
end)

describe("the history of a request", function()
  it("is read by its user", function(desk)
    local request = desk:as("user"):create("request", { Title = "New notebook" })
    expect(#request:history()):equals(1)
  end)
end)
