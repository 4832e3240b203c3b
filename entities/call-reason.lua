return entity "call-reason" {
  description = "Why calls are resolved or closed.",
  status      = "GA",
  writers     = "Administration",
  summary     = { "Ref", "Name", "Description" },
  properties  = {
    text "Name" { length = 40, required = true, indexed = true, description = "What people call it." },
    text "Description" { length = 255, description = "When to choose it." },
  },
}
