local receiver = require "lib.receiver"

return action "forward" {
  description = "Hand the call to an analyst, a group, or an analyst of a group.",
  from        = { "New", "Open*" },
  offered     = "!@IsLockedByOther",
  may_move_to = "Open",
  raises      = "Forwarded",
  mandatory   = {
    any_of "Receiver" {
      lookup "ReceivingAnalyst" { entity = "person", description = "Who works on it from now on." },
      lookup "ReceivingGroup" { entity = "group", description = "The group whose turn it is from now on." },
    },
  },
  optional    = { richtext "Description" { description = "What the receiver should know." }, "Status", "SuspendUntil" },
  run = function(call, input)
    receiver.check(input)
    call.Analyst, call.Group = input.ReceivingAnalyst, input.ReceivingGroup or input.ReceivingAnalyst and call.Group
    call.AcknowledgedDate = null
    if call.State == 0 then call.State = 1 end
  end,
}
