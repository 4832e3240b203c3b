return action "read" {
  description = "Whoever sees the task sees its history.",
  allowed     = { Analyst = true, User = true },
}
