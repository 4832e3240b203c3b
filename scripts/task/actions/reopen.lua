return action "reopen" {
  description = "Begin again with a task that was done or skipped.",
  from        = { "Closed", "Skipped" },
  moves_to    = "Active",
  raises      = "Reopened",
  optional    = { richtext "Description" { description = "What is missing." } },
}
