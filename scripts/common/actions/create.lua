return action "create" {
  description = "Puts a new record into being.",
  allowed     = { Analyst = true },  -- no mutant: they may where nothing is said
  raises      = "Created",
}
