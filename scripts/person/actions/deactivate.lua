return action "deactivate" {
  description = "Keep the person from signing in.",
  allowed     = { Administration = true },
  offered     = "IsActive && Ref != @UserId",
  raises      = "Deactivated",
  run = function(person) person.IsActive = false end,
}
