return action "update" {
  title       = "Update",
  description = "Change what is known of the person. Users change the own profile, not the name; administrators who may sign in.",
  allowed     = { Analyst = true, User = "Ref == @UserId" },
  raises      = "Updated",
}
