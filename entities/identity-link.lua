return entity "identity-link" {
  description = "Whom a subject of an identity provider is. A first sign-in by login name makes one; of a person with "
    .. "Administration an administrator does, here.",
  status      = "GA",
  right       = "Administration",
  summary     = { "Ref", "Person", "Issuer", "Subject", "CreatedDate" },
  properties  = {
    lookup "Person" { entity = "person", required = true, description = "Who signs in by it." },
    text "Issuer" { length = 255, required = true,
      description = "The identity provider, letter for letter as the setting oidc.issuer names it." },
    text "Subject" { length = 255, required = true, indexed = true,
      description = "The provider's own name of the person, its claim sub, letter for letter." },
  },
}
