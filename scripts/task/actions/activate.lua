return action "activate" {
  description = "Begin with the task, whatever it waits for.",
  from        = "Pending",
  moves_to    = "Active",
  raises      = "Activated",
  optional    = { richtext "Description" { description = "Why it begins." } },
}
