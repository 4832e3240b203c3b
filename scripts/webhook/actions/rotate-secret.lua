return action "rotate-secret" {
  title       = "Rotate secret",
  description = "Takes a new secret, or makes one and shows it this once. Deliveries are signed with both for 24 hours.",
  allowed     = { Integration = "Owner == @UserId || Owner == null", Administration = true },
  raises      = "SecretRotated",
  optional    = { text "Secret" { length = 1024, secret = "sealed", description = "The new one; empty: it is made." } },
  run = function(webhook, input)
    webhook.PreviousSecret, webhook.PreviousSecretUntil = webhook.Secret, datetime.add(datetime.now(), 1, 0, 0)
    if input.Secret then webhook.Secret = input.Secret else webhook:make_secret "Secret" end
  end,
}
