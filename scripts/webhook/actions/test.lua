return action "test" {
  title       = "Send a test",
  description = "Sends a Ping, whatever events the webhook listens to. The answer is its delivery.",
  allowed     = { Integration = "Owner == @UserId || Owner == null", Administration = true },
  answers     = "webhook-delivery",
  offered     = "Active == true",
  run = function(webhook)
    return desk.create("webhook-delivery", { Webhook = webhook.Ref, Event = "Ping" })
  end,
}
