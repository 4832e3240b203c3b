return action "suspend" {
  description = "Put the task aside.",
  from        = "Active",
  moves_to    = "Suspended",
  raises      = "Suspended",
  optional    = { richtext "Description" { description = "What it waits for." }, "SuspendUntil" },
}
