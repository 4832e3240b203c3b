return action "reopen" {
  description = "Put a closed call back to work.",
  from        = "Closed*",
  offered     = "!@IsLockedByOther",
  may_move_to = { "Open", "Open/Unresolved" },
  allowed     = { Analyst = true, User = "User == @UserId" },
  raises      = "Reopened",
  optional    = {
    richtext "Description" { description = "Why it is not done." },
    lookup "ReceivingAnalyst" { entity = "person" }, lookup "ReceivingGroup" { entity = "group" },
  },
  run = function(call, input)
    call.State = call.State == 5 and 4 or 1
    call.ClosedDate, call.ResolvedDate = null, null
    if input.ReceivingAnalyst or input.ReceivingGroup then
      call:act("forward", { ReceivingAnalyst = input.ReceivingAnalyst, ReceivingGroup = input.ReceivingGroup })
    end
  end,
}
