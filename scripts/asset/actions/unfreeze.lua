return action "unfreeze" {
  description = "Let it be changed again.",
  offered     = "IsFrozen",
  raises      = "Unfrozen",
  run = function(asset) asset.IsFrozen = false end,
}
