return action "read" {
  description = "Whoever sees the request sees its history.",
  allowed     = { Analyst = true, User = true },
}
