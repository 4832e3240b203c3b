return action "activate" {
  description = "Begin with the task, even if it waits for another one.",
  from        = "Pending",
  moves_to    = "Active",
  raises      = "Activated",
  optional    = { richtext "Description" { description = "Why it begins." } },
}
