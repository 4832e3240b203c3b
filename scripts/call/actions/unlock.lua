return action "unlock" {
  description = "Let others change the call again.",
  offered     = "LockedBy != null && LockedBy == @UserId",
  history     = false,
  run = function(call) call.LockedBy, call.LockedDate = null, null end,
}
