return action "set-secret" {
  title       = "Set secret",
  description = "Sets the secret that the client must send from now on.",
  raises      = "SecretChanged",
  mandatory   = { text "Secret" { length = 1024, secret = "new", description = "The new one, at least 8 characters." } },
  run = function(client, input)
    client:keep_secret(input.Secret)
    client.HasSecret = true
  end,
}
