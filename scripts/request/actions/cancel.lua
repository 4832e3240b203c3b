return action "cancel" {
  description = "Give the request up; open tasks are skipped.",
  from        = "Open*",
  moves_to    = "Cancelled",
  allowed     = { Analyst = true, User = "User == @UserId" },
  raises      = "Cancelled",
  mandatory   = { richtext "Description" { description = "Why it is not wanted any more." } },
}
