return action "delete" {
  title       = "Delete",
  description = "Take back a request that was never submitted.",
  from        = "New",
  allowed     = { Analyst = true, User = "User == @UserId" },
  raises      = "Deleted",
}
