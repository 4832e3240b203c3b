-- Which events a record raises whose entity has no rule of its own for them.
local function changes(desk, entity, values, change)
  local record = desk:as("admin"):create(entity, values)
  expect(record):raised "Created"
  record:update(change)
  expect(record):raised "Updated"
  record:delete()
  expect(record):raised "Deleted"
  return record
end

describe("a change by the common rules", function()
  it("raises its event: organization", function(desk)
    local record = changes(desk, "organization", { Name = "Hollerbach Labs" }, { Name = "Labs" })
    record:restore()
    expect(record):raised "Restored"
  end)

  it("raises its event: person", function(desk)
    changes(desk, "person", { LastName = "Lovelace" }, { FirstName = "Ada" })
  end)

  it("is refused to users", function(desk)
    expect(desk:as "user"):refuses("create", "organization", { Name = "Mine" }, 403)
    local record = desk:as("admin"):create("organization", { Name = "Labs" })
    expect(record:as "user"):refuses("update", { Name = "Mine" }, 403)
    expect(record:as "user"):refuses("delete", 403)
    record:delete()
    expect(record:as "analyst"):refuses("restore", 403)
  end)
end)
