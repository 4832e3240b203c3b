return func "MyGroup" {
  description = "The Ref of the n-th group of the person who asks; null beyond the last.",
  returns     = "Integer",
  parameters  = { integer "n" },
  value       = function(n, session) return (session.groups or {})[n] end,
}
