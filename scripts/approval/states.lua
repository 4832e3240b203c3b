return states "State" {
  state "Pending"         { value = 0, group = "Open*", initial = true, description = "Waits for the task before it." },
  state "Active"          { value = 1, group = "Open*", description = "Its approver is asked." },
  state "Suspended"       { value = 2, group = "Open*", description = "Put aside." },
  state "Closed"          {
    value = 3, group = "Closed*", imported = true, description = "Done without a decision; only imports have it.",
  },
  state "Skipped"         { value = 4, group = "Closed*", description = "Left out." },
  state "Closed-Approved" { value = 5, group = "Closed*", final = true, description = "The answer was yes." },
  state "Closed-Rejected" {
    value = 6, group = "Closed*", final = true, description = "The answer was no; what waits for it stays so.",
  },
}
