return action "delete" {
  description = "Takes the webhook away for good; its deliveries stay readable until they are purged.",
  allowed     = { Integration = "Owner == @UserId || Owner == null", Administration = true },
  raises      = "Deleted",
}
