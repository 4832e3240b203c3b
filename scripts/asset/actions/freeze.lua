return action "freeze" {
  description = "Keep everybody from changing it.",
  offered     = "!IsFrozen",
  raises      = "Frozen",
  run = function(asset) asset.IsFrozen = true end,
}
