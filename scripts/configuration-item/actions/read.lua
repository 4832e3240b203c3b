return action "read" {
  description = "Users see what they work with.",
  allowed     = { Analyst = true, User = "User == @UserId || Owner == @UserId" },
}
