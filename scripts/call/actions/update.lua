return action "update" {
  title       = "Update",
  description = "Change what is known of the call.",
  from        = { "New", "Open*" },
  offered     = "!@IsLockedByOther",
  allowed     = { Analyst = true, User = "User == @UserId" },
  raises      = "Updated",
}
