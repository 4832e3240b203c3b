local receiver = require "lib.receiver"

return action "forward" {
  description = "Hand the request to an analyst, a group, or an analyst of a group.",
  from        = "Open*",
  may_move_to = { "Open", "AwaitingAuthorization" },
  raises      = "Forwarded",
  mandatory   = {
    any_of "Receiver" {
      lookup "ReceivingAnalyst" { entity = "person", description = "Who sees it through from now on." },
      lookup "ReceivingGroup" { entity = "group", description = "The group whose turn it is from now on." },
    },
  },
  optional    = { richtext "Description" { description = "What the receiver should know." }, "SuspendUntil" },
  run = function(request, input)
    receiver.check(input)
    request.Analyst = input.ReceivingAnalyst
    request.Group = input.ReceivingGroup or request.Group
    request.AcknowledgedDate = null
    if request.State == 0 then request:act "submit" end
  end,
}
