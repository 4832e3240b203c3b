-- $filter knows no lists: one comparison for each of the groups that a person can well belong to.
local groups = {}
for i = 1, 16 do groups[i] = "Group == @MyGroup(" .. i .. ")" end

return condition "IsForMyGroups" {
  description = "Nobody's yet, and for one of the first 16 groups of the person who asks.",
  filter      = "Analyst == null && Group != null && (" .. table.concat(groups, " || ") .. ")",
}
