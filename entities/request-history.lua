return entity "request-history" {
  description = "What happened to a request, one row for each action, oldest first by Order.",
  status      = "GA",
  summary     = { "Request", "Order", "ActionTitle", "Description", "Analyst", "Date" },
  properties = {
    key "Request" { entity = "request", readonly = true, description = "The request that the row belongs to." },
    key "Order" { readonly = true, description = "1 for the first row of a request, and so on without a gap." },
    text "Action" { length = 40, readonly = true, description = "The action as its path names it, such as forward." },
    text "ActionTitle" { length = 80, readonly = true, description = "The action as people read it." },
    richtext "Description" { readonly = true, description = "What was written with it." },
    lookup "Analyst" { entity = "person", readonly = true, indexed = false, description = "Who did it." },
    datetime "Date" { readonly = true, description = "When it was done." },
    lookup "FromState" { entity = "request-state", readonly = true, indexed = false, description = "The state before." },
    lookup "ToState" { entity = "request-state", readonly = true, indexed = false, description = "The state after." },
  },
  indexes = { index { "Date" } },
}
