return token "UserId" {
  description = "The Ref of the person who asks; null for a session without a person.",
  returns     = "Integer",
  value       = function(session) return session.user_id end,
}
