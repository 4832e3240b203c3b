return action "update" {
  description = "Changes what is told to whom: by its owner or an administrator, since it tells by its owner's eyes.",
  allowed     = { Integration = "Owner == @UserId || Owner == null", Administration = true },
  raises      = "Updated",
}
