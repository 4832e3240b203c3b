return action "read" {
  description = "Users see their own requests.",
  allowed     = { Analyst = true, User = "User == @UserId" },
}
