-- A session without a person has no @UserId; Analyst == @UserId then holds for no call.
return condition "IsAssignedToMe" {
  description = "Open calls whose analyst is the person who asks.",
  filter      = 'Analyst != null && Analyst == @UserId && @InState("Open*")',
}
