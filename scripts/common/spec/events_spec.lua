-- What integrators hear of.
local function changes(desk, entity, values, change)
  local record = desk:as("admin"):create(entity, values)
  expect(record):raised "Created"
  record:update(change)
  expect(record):raised "Updated"
  record:delete()
  expect(record):raised "Deleted"
  return record
end

describe("a change that has no rule of its own", function()
  it("is told: organization", function(desk)
    local record = changes(desk, "organization", { Name = "Hollerbach Labs" }, { Name = "Labs" })
    record:restore()
    expect(record):raised "Restored"
  end)

  it("is told: person", function(desk)
    changes(desk, "person", { LastName = "Lovelace" }, { FirstName = "Ada" })
  end)

  it("is no matter for users", function(desk)
    expect(desk:as "user"):refuses("create", "organization", { Name = "Mine" }, 403)
    local record = desk:as("admin"):create("organization", { Name = "Labs" })
    expect(record:as "user"):refuses("update", { Name = "Mine" }, 403)
    expect(record:as "user"):refuses("delete", 403)
    record:delete()
    expect(record:as "analyst"):refuses("restore", 403)
  end)
end)
