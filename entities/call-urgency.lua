return entity "call-urgency" {
  description = "How soon a call does damage. Impact and urgency together give the priority.",
  status      = "GA",
  writers     = "Administration",
  summary     = { "Ref", "Name", "Rank" },
  properties  = {
    text "Name" { length = 40, required = true, indexed = true, description = "What people call it." },
    integer "Rank" { description = "1 (at once) to 3 (it can wait)." },
    boolean "IsDefault" { default = false, description = "Calls get it when nothing else says which." },
  },
}
