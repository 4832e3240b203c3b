return entity "service" {
  extends     = "asset",
  top_level   = true,
  status      = "GA",
  description = "Something that the organisation provides to people, such as mail or payroll.",
  properties  = {
    text "Category" { length = 80, description = "The shelf of the catalogue that it stands on." },
    short "Criticality" { description = "1 (life depends on it) to 5 (nice to have)." },
    lookup "SupportGroup" { entity = "group", display_types = { "Select" },
      description = "The group that looks after it." },
  },
}
