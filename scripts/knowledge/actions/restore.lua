return action "restore" {
  description = "Make a retired article a draft again.",
  from        = "Retired",
  moves_to    = "Draft",
  raises      = "Restored",
}
