return action "reject" {
  description = "Say no; the request is cancelled with its tasks.",
  from        = "AwaitingAuthorization",
  moves_to    = "Cancelled",
  raises      = "Rejected",
  mandatory   = { richtext "Description" { description = "Why not." } },
  run = function(request) request.RejectedDate = datetime.now() end,
}
