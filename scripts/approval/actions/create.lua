return action "create" {
  title       = "Create",
  may_move_to = "Active",
  description = "Ask for a decision about a request, a call, or both.",
  raises      = "Created",
  mandatory   = { "Title", any_of "Subject" { "Request", "Call" } },
}
