return action "delete" {
  title       = "Delete",
  description = "Take away a task that is not done; those that wait for it wait for what it waited for.",
  from        = "Open*",
  raises      = "Deleted",
}
