return action "submit" {
  description = "Hand the request in; its template says whether it waits for an authorization.",
  from        = "New",
  moves_to    = "Open",
  may_move_to = "AwaitingAuthorization",
  allowed     = { Analyst = true, User = "User == @UserId" },
  raises      = "Submitted",
  optional    = { richtext "Description" { description = "What is to be added." } },
}
