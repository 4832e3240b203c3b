return action "skip" {
  description = "Leave the task out; those that wait for it begin, unless an approval before them has not said yes.",
  from        = { "Pending", "Active" },
  moves_to    = "Skipped",
  raises      = "Skipped",
  mandatory   = { richtext "Description" { description = "Why it is not needed." } },
}
