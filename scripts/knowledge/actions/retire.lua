return action "retire" {
  description = "Take an article that no longer holds away from its readers.",
  from        = "Published",
  moves_to    = "Retired",
  raises      = "Retired",
}
