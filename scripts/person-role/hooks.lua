local function check_once(row)
  unique.check(row, "person-role", { Person = row.Person, Role = row.Role }, "The person has this role already.")
end

return hooks { before_create = check_once, before_update = check_once, before_restore = check_once }
