-- Who is whom that the company's identity provider vouches for.
return sign_in {
  description = "The company's accounts: who is in the group staff may sign in, and the group desk works at the desk.",
  claims      = { "email", "given_name", "family_name", "groups", "realm_access" },
  gives       = { "Analyst Vienna", "User Vienna" },

  run = function(claims)
    -- Keycloak tells roles below realm_access, others tell groups.
    local groups = claim.names(claims.groups or claims.realm_access and claims.realm_access.roles)
    if not groups.staff then forbid "Ask the service desk for an account: you are not in the group staff." end
    return {
      FirstName = claims.given_name,
      LastName  = claims.family_name or claims.sub,
      Email     = claims.email and text.lower(claims.email),
      IsAnalyst = groups.desk == true,
    }, { groups.desk and "Analyst Vienna" or "User Vienna" }
  end,
}
