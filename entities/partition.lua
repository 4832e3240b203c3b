return entity "partition" {
  description = "A part of the organisation whose records only its own people see.",
  status      = "GA",
  writers     = "Administration",
  summary     = { "Ref", "Name", "Description" },
  properties  = {
    text "Name" { length = 80, required = true, indexed = true, description = "What people call it." },
    text "Description" { length = 255, description = "Whose records it holds." },
  },
}
