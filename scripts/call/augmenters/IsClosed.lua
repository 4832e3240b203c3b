return condition "IsClosed" {
  description = "Closed, whether it was resolved or not.",
  filter      = '@InState("Closed*")',
}
