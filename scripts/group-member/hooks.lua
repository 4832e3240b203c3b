local function check_once(row)
  for _, other in ipairs(desk.search("group-member", { Group = row.Group, Person = row.Person })) do
    if other ~= row then reject "The person is in this group already." end
  end
end

return hooks { before_create = check_once, before_update = check_once, before_restore = check_once }
