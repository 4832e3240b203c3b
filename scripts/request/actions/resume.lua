return action "resume" {
  description = "Take the request up again.",
  from        = "Suspended",
  moves_to    = "Open",
  raises      = "Resumed",
  optional    = { richtext "Description" { description = "What has changed." } },
  run = function(request) request.SuspendUntil = null end,
}
