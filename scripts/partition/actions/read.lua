-- $filter knows no lists: one comparison for each of the partitions that a person can well have.
local mine = {}
for i = 1, 16 do mine[i] = "Ref == @MyPartition(" .. i .. ")" end

return action "read" {
  description = "Users see the first 16 of those that are open to them.",
  allowed     = { Analyst = true, User = table.concat(mine, " || ") },
}
