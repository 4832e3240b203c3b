return action "reopen" {
  description = "Put a closed or cancelled request back to work; what nobody authorized waits for that again.",
  from        = "Closed*",
  moves_to    = "Open",
  may_move_to = "AwaitingAuthorization",
  allowed     = { Analyst = true, User = "User == @UserId && RejectedDate == null" },
  raises      = "Reopened",
  optional    = { richtext "Description" { description = "What is missing." } },
}
