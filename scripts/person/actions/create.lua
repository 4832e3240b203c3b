return action "create" {
  title       = "Create",
  description = "Put a person on record.",
  raises      = "Created",
  mandatory   = { "LastName" },  -- no mutant: the property is required of every record
}
