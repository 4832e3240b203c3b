return action "suspend" {
  description = "Put the request aside.",
  from        = "Open",
  moves_to    = "Suspended",
  raises      = "Suspended",
  optional    = { richtext "Description" { description = "What it waits for." }, "SuspendUntil" },
}
