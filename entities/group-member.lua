return entity "group-member" {
  description = "A person's membership in a group; one row for each person and group.",
  status      = "GA",
  writers     = "Administration",
  summary     = { "Ref", "Group", "Person" },
  properties  = {
    lookup "Group" { entity = "group", required = true, description = "The group." },
    lookup "Person" { entity = "person", required = true, description = "The person who belongs to it." },
    boolean "IsLead" { default = false, description = "This person hands out the work." },
  },
}
