return entity "role-partition" {
  description = "A partition that a role opens; one row for each role and partition.",
  status      = "GA",
  right       = "Administration",
  summary     = { "Ref", "Role", "Partition" },
  properties  = { lookup "Role" { entity = "role", required = true, description = "The role." } },
}
