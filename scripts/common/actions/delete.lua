return action "delete" {
  description = "Takes the record away; it stays stored.",
  allowed     = { Analyst = true },
  raises      = "Deleted",
}
