return action "update" {
  description = "Changes properties of the record.",
  allowed     = { Analyst = true },
  raises      = "Updated",
}
