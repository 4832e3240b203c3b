return action "delete" {
  title       = "Delete",
  description = "Take away a task that is not done; those that wait for it begin.",
  from        = "Open*",
  raises      = "Deleted",
}
