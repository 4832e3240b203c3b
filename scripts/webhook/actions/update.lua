return action "update" {
  description = "Changes what is sent and where. For its owner and administrators, since it shows what its owner may see.",
  allowed     = { Integration = "Owner == @UserId || Owner == null", Administration = true },
  raises      = "Updated",
}
