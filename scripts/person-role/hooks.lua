local function check_once(row)
  for _, other in ipairs(desk.search("person-role", { Person = row.Person, Role = row.Role })) do
    if other ~= row then reject "The person has this role already." end
  end
end

return hooks { before_create = check_once, before_update = check_once, before_restore = check_once }
