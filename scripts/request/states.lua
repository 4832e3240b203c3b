return states "State" {
  state "New"                   { value = 0, group = "Open*", initial = true, description = "An idea; not handed in yet." },
  state "AwaitingAuthorization" { value = 1, group = "Open*", description = "Handed in; somebody has to say yes." },
  state "Open"                  { value = 2, group = "Open*", description = "Under way." },
  state "Suspended"             { value = 3, group = "Open*", description = "Put aside." },
  state "Closed"                { value = 4, group = "Closed*", description = "Done." },
  state "Cancelled"             { value = 5, group = "Closed*", description = "Rejected or given up." },
}
