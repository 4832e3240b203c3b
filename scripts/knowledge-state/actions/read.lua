return action "read" {
  description = "For everybody.",
  allowed     = { Analyst = true, User = true, Anonymous = true },
}
