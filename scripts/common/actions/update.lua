return action "update" {
  description = "Changes properties of the record.",
  allowed     = { Analyst = true },  -- no mutant: they may where nothing is said
  raises      = "Updated",
}
