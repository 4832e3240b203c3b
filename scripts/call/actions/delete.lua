return action "delete" {
  title       = "Delete",
  description = "Take back a call that was never submitted.",
  from        = "New",
  offered     = "!@IsLockedByOther",
  allowed     = { Analyst = true, User = "User == @UserId" },
  raises      = "Deleted",
}
