return func "DateTime" {
  description = "A moment from ISO 8601 text, such as 2026-03-29T01:30:00Z; without a zone the server's is meant.",
  returns     = "DateTime",
  parameters  = { text "value" },
  constant    = true,
  value = function(value)
    return datetime.parse(value) or reject("an ISO 8601 date is due here, such as 2026-03-29T01:30:00Z")
  end,
}
