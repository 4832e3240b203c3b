return action "delete" {
  description = "Takes the record away; it stays stored.",
  allowed     = { Analyst = true },  -- no mutant: they may where nothing is said
  raises      = "Deleted",
}
