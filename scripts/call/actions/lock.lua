return action "lock" {
  description = "Keep others from changing the call for 15 minutes.",
  offered     = "!@IsLockedByOther",
  history     = false,
  run = function(call, _, session) call.LockedBy, call.LockedDate = session.user_id, datetime.now() end,
}
