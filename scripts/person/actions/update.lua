return action "update" {
  title       = "Update",
  description = "Change what is known of the person; everybody may change the own profile.",
  allowed     = { Analyst = true, User = "Ref == @UserId" },
  raises      = "Updated",
}
