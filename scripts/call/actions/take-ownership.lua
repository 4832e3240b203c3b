return action "take-ownership" {
  description = "Work on the call yourself.",
  from        = "Open*",
  offered     = "!@IsLockedByOther && (Analyst == null || Analyst != @UserId)",
  raises      = "OwnershipTaken",
  optional    = { richtext "Description" { description = "Why you take it." } },
  run = function(call, _, session) call.Analyst = session.user_id end,
}
