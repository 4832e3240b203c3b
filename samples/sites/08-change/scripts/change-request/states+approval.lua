return add_to "states" {
  state "Awaiting approval" { value = 10, group = "Open*", description = "Nobody works on it yet." },
}
