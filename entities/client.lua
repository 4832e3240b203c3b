return entity "client" {
  description = "A program that people sign in with, or that signs in for itself (an OAuth client).",
  status      = "GA",
  right       = "Administration",
  summary     = { "Ref", "ClientId", "Name", "SessionType", "IsEnabled", "HasSecret", "Grants" },
  properties  = {
    text "ClientId" { length = 100, required = true, indexed = true, display = "Client ID",
      description = "The client_id that it sends, letter for letter." },
    text "Name" { length = 80, required = true, description = "What people who sign in are shown." },
    text "Description" { length = 255, description = "What it is for and who looks after it." },
    text "SessionType" { length = 10, default = "Any", choices = { "Any", "User", "Analyst" },
      description = "The sessions it may open: Any, User or Analyst." },
    boolean "IsEnabled" { default = true, display = "Enabled", description = "Whether it may be used at all." },
    boolean "HasSecret" { readonly = true, default = false,
      description = "Whether it must send a secret; `callisto client add --secret` sets the secret." },
    text "Grants" { length = 255, default = "authorization_code refresh_token",
      description = "The grant types it may use, parted by blanks: authorization_code, password, client_credentials "
        .. "and refresh_token." },
    text "RedirectUris" { length = 4000, display = "Redirect URIs",
      description = "Where the sign-in page may send people back to, parted by blanks." },
    lookup "Role" { entity = "role",
      description = "The role whose partitions its sessions without a person see; none: no partition." },
  },
}
