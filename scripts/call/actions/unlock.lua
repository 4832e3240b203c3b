return action "unlock" {
  description = "Let others change the call again.",
  offered     = "LockedBy != null",
  allowed     = { Analyst = "LockedBy == @UserId", Administration = true },
  history     = false,
  run = function(call) call.LockedBy, call.LockedDate = null, null end,
}
