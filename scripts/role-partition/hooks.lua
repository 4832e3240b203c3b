local function check_once(row)
  unique.check(row, "role-partition", { Role = row.Role, Partition = row.Partition }, "The role opens this partition already.")
end

return hooks { before_create = check_once, before_update = check_once, before_restore = check_once }
