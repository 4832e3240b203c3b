local receiver = require "lib.receiver"

return action "forward" {
  description = "Hand the task to an analyst, a group, or an analyst of a group.",
  from        = "Open*",
  raises      = "Forwarded",
  mandatory   = {
    any_of "Receiver" {
      lookup "ReceivingAnalyst" { entity = "person", description = "Who does it from now on." },
      lookup "ReceivingGroup" { entity = "group", description = "The group whose turn it is from now on." },
    },
  },
  optional    = { richtext "Description" { description = "What the receiver should know." }, "SuspendUntil" },
  run = function(task, input)
    receiver.check(input)
    task.Analyst, task.Group = input.ReceivingAnalyst, input.ReceivingGroup or task.Group
    task.AcknowledgedDate = null
  end,
}
