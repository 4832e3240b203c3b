return states "State" {
  state "Pending"   { value = 0, group = "Open*", initial = true, description = "Waits for the task before it." },
  state "Active"    { value = 1, group = "Open*", description = "Its turn." },
  state "Suspended" { value = 2, group = "Open*", description = "Put aside." },
  state "Closed"    { value = 3, group = "Closed*", description = "Done." },
  state "Skipped"   { value = 4, group = "Closed*", description = "Left out." },
}
