return action "delete" {
  title       = "Delete",
  description = "Take it away; it stays stored.",
  offered     = "!IsFrozen",
  raises      = "Deleted",
}
