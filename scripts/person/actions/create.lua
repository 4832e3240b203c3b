return action "create" {
  title       = "Create",
  description = "Put a person on record.",
  raises      = "Created",
  mandatory   = { "LastName" },
}
