return action "update" {
  title       = "Update",
  description = "Change what is known of the person; everybody changes the own profile, administrators alone who may sign in and as what.",
  allowed     = { Analyst = true, User = "Ref == @UserId" },
  raises      = "Updated",
}
