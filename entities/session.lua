return entity "session" {
  description = "A sign-in that has not ended. It ends when its newest refresh token expires, by logout, or when it is deleted here.",
  status      = "GA",
  right       = "Administration",
  summary     = { "Ref", "Person", "Client", "SessionType", "CreatedDate", "LastUsed", "ExpiresDate", "Address" },
  properties  = {
    lookup "Person" { entity = "person", readonly = true,
      description = "Who signed in; empty for a program that signed in for itself." },
    lookup "Client" { entity = "client", readonly = true, description = "The program that holds its tokens." },
    text "SessionType" { length = 10, readonly = true, description = "User or Analyst." },
    datetime "LastUsed" { readonly = true, description = "When a request last used it, to the minute." },
    datetime "ExpiresDate" { readonly = true, indexed = true, display = "Expires",
      description = "When it ends unless it is renewed." },
    text "Address" { length = 64, readonly = true, description = "The network address that signed in." },
  },
}
