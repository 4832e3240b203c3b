return entity "configuration-item-type" {
  description = "The kinds of configuration items.",
  status      = "GA",
  writers     = "Administration",
  summary     = { "Ref", "Name" },
  properties  = {
    text "Name" { length = 80, required = true, indexed = true, description = "What people call it." },
    text "Description" { length = 255, description = "What belongs to it." },
  },
}
