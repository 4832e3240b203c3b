return entity "call-state" {
  description = "The states that a call passes through; the call's actions rely on their numbers.",
  status      = "GA",
  writers     = "Administration",
  summary     = { "Ref", "Name" },
  properties  = {
    text "Name" { length = 40, required = true, indexed = true, description = "What people read." },
  },
}
