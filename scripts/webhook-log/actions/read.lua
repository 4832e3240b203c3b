return action "read" {
  description = "Rows tell what a webhook was told: for its owner and administrators.",
  allowed     = { Integration = "Webhook.Owner == @UserId", Administration = true },
}
