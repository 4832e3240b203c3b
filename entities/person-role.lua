return entity "person-role" {
  description = "A role of a person; one row for each person and role.",
  status      = "GA",
  right       = "Administration",
  summary     = { "Ref", "Person", "Role" },
  properties  = {
    lookup "Person" { entity = "person", required = true, description = "The person." },
    lookup "Role" { entity = "role", required = true, description = "The role that the person has." },
  },
}
