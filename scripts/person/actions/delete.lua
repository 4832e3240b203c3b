return action "delete" {
  title       = "Delete",
  description = "Take the person away whom nothing refers to; whoever worked or called is deactivated instead.",
  allowed     = { Administration = true },
  offered     = "Ref != @UserId",
  raises      = "Deleted",
}
