local function check_once(row)
  unique.check(row, "group-member", { Group = row.Group, Person = row.Person }, "The person is in this group already.")
end

return hooks { before_create = check_once, before_update = check_once, before_restore = check_once }
