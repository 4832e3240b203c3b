return action "update" {
  title       = "Update",
  description = "Change what is known of the task.",
  from        = "Open*",
  raises      = "Updated",
}
