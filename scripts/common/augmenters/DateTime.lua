return func "DateTime" {
  description = "A moment from ISO 8601 text, such as 2026-03-29T01:30:00Z; without a zone the server's is meant.",
  returns     = "DateTime",
  parameters  = { text "value" },
  constant    = true,
  value = function(value)
    local plus = value:gsub(" (%d%d:?%d*)$", "+%1")  -- which a url without %2B turned into a blank
    return datetime.parse(plus) or reject("an ISO 8601 date is expected here, such as 2026-03-29T01:30:00Z, " ..
      "a moment in the years 0001 to 9999 of UTC")
  end,
}
