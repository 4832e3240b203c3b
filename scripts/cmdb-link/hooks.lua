local directions = { ChildToParent = true, ParentToChild = true, Both = true, None = true }

return hooks {
  before_create = function(link)
    if link.Parent == link.Child then reject "Parent and Child: an asset cannot be linked to itself." end
    if link.Weight and (link.Weight < 0 or link.Weight > 100) then reject "Weight: a number from 0 to 100 is expected." end
    if link.ImpactDirection and not directions[link.ImpactDirection] then
      reject "ImpactDirection: ChildToParent, ParentToChild, Both or None is expected."
    end
    local type = desk.find("cmdb-link-type", link.Type)
    link.Category = type and type.Category
  end,
}
