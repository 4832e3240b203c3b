return action "delete" {
  description = "Deletes the webhook; its deliveries stay readable until they are purged.",
  allowed     = { Integration = "Owner == @UserId || Owner == null", Administration = true },
  raises      = "Deleted",
}
