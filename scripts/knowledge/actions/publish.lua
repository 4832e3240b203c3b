return action "publish" {
  description = "Let everybody read the article.",
  from        = { "Draft", "PendingReview" },
  moves_to    = "Published",
  raises      = "Published",
}
