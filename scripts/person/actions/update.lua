return action "update" {
  title       = "Update",
  description = "Change a person's data. Users change their own profile except the name; only administrators change who may sign in.",
  allowed     = { Analyst = true, User = "Ref == @UserId" },
  raises      = "Updated",
}
