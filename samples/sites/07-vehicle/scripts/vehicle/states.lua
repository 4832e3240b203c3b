return states "State" {
  state "In use"     { value = 0, initial = true },
  state "In the shop" { value = 1 },
}
