return condition "IsClosed" {
  description = "Closed, whether it was resolved or not.",
  filter      = "State == 2 || State == 5",
}
