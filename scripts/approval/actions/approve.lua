return action "approve" {
  description = "Say yes; tasks that wait for it begin.",
  from        = "Active",
  moves_to    = "Closed-Approved",
  allowed     = { Analyst = true, User = "Approver == @UserId" },
  raises      = "Approved",
  optional    = { richtext "Description" { length = 4000, description = "On which terms." } },
  run = function(approval, input) approval.Comment = input.Description end,
}
