return entity "task-state" {
  description = "The states of tasks and approvals; their actions rely on the numbers.",
  status      = "GA",
  writers     = "Administration",
  summary     = { "Ref", "Name" },
  properties  = {
    text "Name" { length = 40, required = true, indexed = true, description = "What people read." },
  },
}
