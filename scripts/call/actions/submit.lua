return action "submit" {
  description = "Hand the call in. A call that was submitted already stays as it is.",
  from        = { "New", "Open*" },
  offered     = "!@IsLockedByOther",
  may_move_to = "Open",
  allowed     = { Analyst = true, User = "User == @UserId" },
  raises      = "Submitted",
  run = function(call)
    if call.State ~= 0 then return false end
    call.State = 1
  end,
}
