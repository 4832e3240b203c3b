local function check_once(row)
  for _, other in ipairs(desk.search("role-partition", { Role = row.Role, Partition = row.Partition })) do
    if other ~= row then reject "The role opens this partition already." end
  end
end

return hooks { before_create = check_once, before_update = check_once, before_restore = check_once }
