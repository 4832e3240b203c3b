return action "close" {
  description = "End the call, resolved or not.",
  from        = "Open*",
  offered     = "!@IsLockedByOther",
  may_move_to = { "Closed", "Closed/Unresolved" },
  allowed     = { Analyst = true, User = "User == @UserId" },
  raises      = "Closed",
  mandatory   = { richtext "Description" { description = "How it ended." } },
  optional    = { boolean "Resolved" { default = true, description = "False: the matter was not settled." },
                  "Reason", "Solution", "Status" },
  run = function(call, input)
    local now = datetime.now()
    call.ClosedDate = now
    if input.Resolved == false then
      call.State = 5
    else
      call.State, call.ResolvedDate = 2, call.ResolvedDate or now
    end
  end,
}
