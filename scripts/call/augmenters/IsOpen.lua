return condition "IsOpen" {
  description = "Submitted and not closed yet.",
  filter      = "State == 1 || State == 3 || State == 4",
}
