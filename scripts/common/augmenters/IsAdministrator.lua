return token "IsAdministrator" {
  description = "Whether the person who asks has the right Administration.",
  returns     = "Boolean",
  value       = function(session) return session:may "Administration" end,
}
