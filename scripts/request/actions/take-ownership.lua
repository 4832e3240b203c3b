return action "take-ownership" {
  description = "See the request through yourself.",
  from        = { "AwaitingAuthorization", "Open", "Suspended" },
  offered     = "Analyst == null || Analyst != @UserId",
  raises      = "OwnershipTaken",
  optional    = { richtext "Description" { description = "Why you take it." } },
  run = function(request, _, session) request.Analyst = session.user_id end,
}
