return token "Now" {
  description = "The present moment.",
  returns     = "DateTime",
  value       = function() return datetime.now() end,
}
