return entity "problem" {
  extends     = "call",
  status      = "GA",
  description = "The cause behind incidents that keep coming back.",
  properties  = {
    boolean "KnownError" { default = false, description = "The cause is understood, the cure is still to come." },
    richtext "RootCause" { description = "What lies beneath, once it is known." },
  },
  -- Few calls are problems: their boards would pass over all others.
  indexes = { index { "State", "LoggedDate" } },
}
