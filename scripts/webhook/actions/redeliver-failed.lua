return action "redeliver-failed" {
  title       = "Redeliver what failed",
  description = "Sends the failed deliveries of a time once more; the answer tells how many.",
  allowed     = { Integration = "Owner == @UserId || Owner == null", Administration = true },
  answers     = { integer "Redelivered" { description = "How many deliveries are sent again." } },
  optional    = {
    datetime "From" { description = "Deliveries made from then on; empty: all that are kept." },
    datetime "To" { description = "And until then; empty: until now." },
  },
}
