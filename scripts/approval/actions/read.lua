return action "read" {
  description = "Users see what they are asked to approve.",
  allowed     = { Analyst = true, User = "Approver == @UserId" },
}
