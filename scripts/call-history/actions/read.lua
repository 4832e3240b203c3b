return action "read" {
  description = "Users see what is public of the history of their calls.",
  allowed     = { Analyst = true, User = "IsPublic" },
}
