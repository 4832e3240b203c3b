return condition "IsOpen" {
  description = "Submitted and not closed yet.",
  filter      = '@InState("Open*")',
}
