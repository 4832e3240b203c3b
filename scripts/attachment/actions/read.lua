return action "read" {
  description = "Whoever sees the record sees its files.",
  allowed     = { Analyst = true, User = true, Anonymous = true },
}
