return action "authorize" {
  description = "Say yes: work may begin.",
  from        = "AwaitingAuthorization",
  moves_to    = "Open",
  raises      = "Authorized",
  optional    = { richtext "Description" { description = "On which terms." } },
  run = function(request) request.AuthorizedDate, request.RejectedDate = datetime.now(), null end,
}
