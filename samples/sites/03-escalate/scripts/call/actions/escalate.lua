return action "escalate" {
  description = "Say that it takes too long: one priority higher.",
  from        = "Open*",
  offered     = "Priority.Rank > 1",
  raises      = "Escalated",
  mandatory   = { richtext "Description" { description = "What suffers." } },
  run = function(call)
    local rank = desk.find("call-priority", call.Priority).Rank
    call.Priority = desk.first("call-priority", "Rank < ?", rank, { orderby = "Rank desc" }).Ref
  end,
}
