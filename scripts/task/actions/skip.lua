return action "skip" {
  description = "Leave the task out; those that wait for it begin.",
  from        = { "Pending", "Active" },
  moves_to    = "Skipped",
  raises      = "Skipped",
  mandatory   = { richtext "Description" { description = "Why it is not needed." } },
}
