return action "reopen" {
  description = "Put a closed or cancelled request back to work.",
  from        = "Closed*",
  moves_to    = "Open",
  allowed     = { Analyst = true, User = "User == @UserId" },
  raises      = "Reopened",
  optional    = { richtext "Description" { description = "What is missing." } },
}
