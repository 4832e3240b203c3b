return action "submit" {
  description = "Hand the draft in for a review.",
  from        = "Draft",
  moves_to    = "PendingReview",
  raises      = "Submitted",
}
