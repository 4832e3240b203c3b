return action "restore" {
  description = "Brings a deleted record back.",
  deleted     = true,
  allowed     = { Administration = true },
  raises      = "Restored",
}
