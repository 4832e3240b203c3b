return action "take-ownership" {
  description = "Do the task yourself.",
  from        = "Active",
  offered     = "Analyst == null || Analyst != @UserId",
  raises      = "OwnershipTaken",
  optional    = { richtext "Description" { description = "Why you take it." } },
  run = function(task, _, session) task.Analyst = session.user_id end,
}
