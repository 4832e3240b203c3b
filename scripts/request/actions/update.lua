return action "update" {
  title       = "Update",
  description = "Change what is known of the request.",
  from        = "Open*",
  allowed     = { Analyst = true, User = "User == @UserId" },
  raises      = "Updated",
}
