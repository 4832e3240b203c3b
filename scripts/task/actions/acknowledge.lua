return action "acknowledge" {
  description = "Take note of a task that is yours or your group's.",
  from        = "Active",
  offered     = "AcknowledgedDate == null && (Analyst == @UserId || @IsForMyGroups)",
  raises      = "Acknowledged",
  optional    = { richtext "Description" { description = "What happens next." } },
  run = function(task) task.AcknowledgedDate = datetime.now() end,
}
