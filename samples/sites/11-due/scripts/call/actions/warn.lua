return action "warn" {
  description = "It is due within an hour.", from = "Open*", allowed = {}, raises = "DueSoon",
  due = "!IsWarned && DueDate < @NowOffset(0, 1, 0)",
  run = function(call) call.IsWarned = true end,
}
