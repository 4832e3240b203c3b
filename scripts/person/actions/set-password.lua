return action "set-password" {
  title       = "Set password",
  description = "Sets the password: one's own with the current one, others' by administrators. Other sessions of the person end.",
  allowed     = { Analyst = "Ref == @UserId", User = "Ref == @UserId", Administration = true },
  raises      = "PasswordChanged",
  mandatory   = { text "Password" { length = 1024, secret = "new", description = "The new one, at least 8 characters." } },
  optional    = { text "CurrentPassword" { length = 1024, secret = "current", description = "Needed for one's own." } },
  run = function(person, input, session)
    if person.Ref == session.user_id and not input.CurrentPassword then
      reject "CurrentPassword: it is missing, or it is not the current one."
    end
    person:keep_secret(input.Password)
  end,
}
