-- Analyst != null: a session without a person has no @UserId, and null equals null.
return condition "IsAssignedToMe" {
  description = "Open calls whose analyst is the person who asks.",
  filter      = 'Analyst != null && Analyst == @UserId && @InState("Open*")',
}
