return action "read" {
  description = "Users see their own calls.",
  allowed     = { Analyst = true, User = "User == @UserId" },
}
