return action "reject" {
  description = "Say no; tasks that wait for it stay pending.",
  from        = "Active",
  moves_to    = "Closed-Rejected",
  allowed     = { Analyst = true, User = "Approver == @UserId" },
  raises      = "Rejected",
  mandatory   = { richtext "Description" { length = 4000, description = "Why not." } },
  run = function(approval, input) approval.Comment = input.Description end,
}
