return action "complete" {
  description = "Say that the task is done; those that wait for it begin.",
  from        = "Active",
  moves_to    = "Closed",
  raises      = "Completed",
  optional    = { richtext "Description" { description = "What was done." } },
}
