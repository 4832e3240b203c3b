return action "reopen" {
  description = "Reopen a task that was done or skipped.",
  from        = { "Closed", "Skipped" },
  moves_to    = "Active",
  raises      = "Reopened",
  optional    = { richtext "Description" { description = "What is missing." } },
}
