return action "give-up" {
  description = "Nobody has answered for five days.", from = "Open/Unresolved", allowed = {}, moves_to = "Closed/Unresolved",
  due = "UpdatedDate < @NowOffset(-5, 0, 0)",
  run = function(call) call.ClosedDate = datetime.now() end,
}
