return action "activate" {
  description = "Let the person sign in.",
  offered     = "!IsActive",
  raises      = "Activated",
  run = function(person) person.IsActive = true end,
}
