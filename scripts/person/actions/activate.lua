return action "activate" {
  description = "Let the person sign in.",
  allowed     = { Administration = true },
  offered     = "!IsActive",
  raises      = "Activated",
  run = function(person) person.IsActive = true end,
}
