return action "retire" {
  description = "Withdraw an article that is no longer right.",
  from        = "Published",
  moves_to    = "Retired",
  raises      = "Retired",
}
