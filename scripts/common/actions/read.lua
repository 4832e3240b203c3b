return action "read" {
  description = "Analysts see what the rights of their roles name; others see nothing that is not granted to them.",
  allowed     = { Analyst = true },  -- no mutant: they may where nothing is said
}
