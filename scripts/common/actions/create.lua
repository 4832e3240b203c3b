return action "create" {
  description = "Puts a new record into being.",
  allowed     = { Analyst = true },
  raises      = "Created",
}
