return token "OrganizationId" {
  description = "The Ref of the organisation of the person who asks; null where there is none.",
  returns     = "Integer",
  value       = function(session) return session.person and session.person.Organization end,
}
