return action "hand-over" {
  title       = "Hand over",
  description = "Gives the webhook another owner: an analyst with the right Integration. From then on it shows what that analyst may see.",
  allowed     = { Administration = true },
  raises      = "HandedOver",
  mandatory   = { lookup "Owner" { entity = "person", description = "Who it belongs to from now on." } },
  run = function(webhook, input) webhook.Owner = input.Owner end,
}
