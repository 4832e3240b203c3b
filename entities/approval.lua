return entity "approval" {
  extends     = "task",
  top_level   = true,
  status      = "Beta",
  description = "A decision, yes or no, that a request or a call waits for.",
  summary     = { "Ref", "Title", "State", "Request", "Call", "Approver", "DueDate" },
  properties  = {
    lookup "Call" { entity = "call",
      description = "The call that waits for it; an approval has a request, a call, or both." },
    lookup "Approver" { entity = "person", description = "Who is asked." },
    text "Comment" { length = 4000, readonly = true, description = "What the approver wrote with the decision." },
  },
}
