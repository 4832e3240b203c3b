return action "acknowledge" {
  description = "Take note of a call that is yours or your group's.",
  from        = "Open*",
  offered     = "!@IsLockedByOther && AcknowledgedDate == null && (Analyst == @UserId || @IsForMyGroups)",
  raises      = "Acknowledged",
  optional    = { richtext "Description" { description = "What happens next." } },
  run = function(call) call.AcknowledgedDate = datetime.now() end,
}
