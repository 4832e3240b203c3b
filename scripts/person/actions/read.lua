return action "read" {
  description = "Users see their own profile.",
  allowed     = { Analyst = true, User = "Ref == @UserId" },
}
