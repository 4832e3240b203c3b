return states "State" {
  state "Draft"         { value = 0, initial = true, description = "Being written." },
  state "PendingReview" { value = 1, description = "Somebody should read it before everybody can." },
  state "Published"     { value = 2, description = "For everybody." },
  state "Retired"       { value = 3, description = "Out of date." },
}
