return action "acknowledge" {
  description = "Take note of a request that is yours or your group's.",
  from        = { "AwaitingAuthorization", "Open", "Suspended" },
  offered     = "AcknowledgedDate == null && (Analyst == @UserId || @IsForMyGroups)",
  raises      = "Acknowledged",
  optional    = { richtext "Description" { description = "What happens next." } },
  run = function(request) request.AcknowledgedDate = datetime.now() end,
}
