return entity "task-history" {
  description = "What happened to a task, one row for each action, oldest first by Order.",
  status      = "GA",
  summary     = { "Task", "Order", "ActionTitle", "Description", "Analyst", "Date" },
  properties = {
    key "Task" { entity = "task", readonly = true, description = "The task that the row belongs to." },
    key "Order" { readonly = true, description = "1 for the first row of a task, and so on without a gap." },
    text "Action" { length = 40, readonly = true, description = "The action as its path names it, such as forward." },
    text "ActionTitle" { length = 80, readonly = true, description = "The action as people read it." },
    richtext "Description" { readonly = true, description = "What was written with it." },
    lookup "Analyst" { entity = "person", readonly = true, indexed = false, description = "Who did it." },
    datetime "Date" { readonly = true, description = "When it was done." },
    lookup "FromState" { entity = "task-state", readonly = true, indexed = false, description = "The state before." },
    lookup "ToState" { entity = "task-state", readonly = true, indexed = false, description = "The state after." },
  },
  indexes = { index { "Date" } },
}
