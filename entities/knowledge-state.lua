return entity "knowledge-state" {
  description = "The states of a knowledge article, from draft to retired.",
  status      = "GA",
  writers     = "Administration",
  summary     = { "Ref", "Name" },
  properties  = {
    text "Name" { length = 40, required = true, indexed = true, description = "What people read." },
  },
}
