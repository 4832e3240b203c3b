return states "State" {
  state "New"               { value = 0, initial = true, description = "On record, not handed in yet." },
  state "Open"              { value = 1, group = "Open*", description = "Somebody works on it." },
  state "Closed"            { value = 2, group = "Closed*", description = "Done." },
  state "Open/Resolved"     { value = 3, group = "Open*", description = "Put right; the caller has not confirmed it." },
  state "Open/Unresolved"   { value = 4, group = "Open*", description = "Reopened after it was closed unresolved." },
  state "Closed/Unresolved" { value = 5, group = "Closed*", description = "Given up or withdrawn." },
}
