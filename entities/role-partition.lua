return entity "role-partition" {
  description = "That a role opens the partition which this row names; one row for each role and partition.",
  status      = "GA",
  right       = "Administration",
  summary     = { "Ref", "Role", "Partition" },
  properties  = { lookup "Role" { entity = "role", required = true, description = "The role." } },
}
