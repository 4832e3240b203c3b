return entity "call-impact" {
  description = "How much of the organisation a call affects. Impact and urgency together give the priority.",
  status      = "GA",
  writers     = "Administration",
  summary     = { "Ref", "Name", "Rank" },
  properties  = {
    text "Name" { length = 40, required = true, indexed = true, description = "What people call it." },
    integer "Rank" { description = "1 (everybody) to 3 (one person)." },
    boolean "IsDefault" { default = false, description = "Calls get it when nothing else says which." },
  },
}
