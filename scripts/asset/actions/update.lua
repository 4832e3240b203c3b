return action "update" {
  title       = "Update",
  description = "Change what is known of it.",
  offered     = "!IsFrozen",
  raises      = "Updated",
}
