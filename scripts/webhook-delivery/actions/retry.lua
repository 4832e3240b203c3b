return action "retry" {
  title       = "Try now",
  description = "Makes the next attempt at once instead of when it is due, for example when the receiver is mended.",
  allowed     = { Integration = "Webhook.Owner == @UserId", Administration = true },  -- no mutant: others see no delivery
  offered     = 'Status == "R"',
  raises      = "Retried",
  run = function(delivery) delivery.NextAttempt = datetime.now() end,
}
