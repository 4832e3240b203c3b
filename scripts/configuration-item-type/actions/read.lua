return action "read" {
  description = "Users choose from these, and read them in their own records.",
  allowed     = { Analyst = true, User = true },
}
