return action "resume" {
  description = "Take the task up again.",
  from        = "Suspended",
  moves_to    = "Active",
  raises      = "Resumed",
  optional    = { richtext "Description" { description = "What has changed." } },
  run = function(task) task.SuspendUntil = null end,
}
