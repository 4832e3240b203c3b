return action "create" {
  title       = "Create",
  may_move_to = "Active",
  description = "Add a step to a request. It waits while its Predecessor is neither done nor skipped.",
  raises      = "Created",
  mandatory   = { "Request", "Title" },
}
