return entity "webhook-log" {
  description = "Which attachments a payload brought and which not: a row for each that had some to choose from.",
  status      = "GA",
  right       = "Integration",
  deletable   = false,
  summary     = { "Ref", "Webhook", "Date", "Delivery", "Included", "Excluded" },
  properties  = {
    lookup "Webhook" { entity = "webhook", readonly = true, description = "Whose payload it was." },
    datetime "Date" { readonly = true, description = "When it was made." },
    lookup "Delivery" { entity = "webhook-delivery", readonly = true, description = "The delivery that carries it." },
    text "Included" { length = 8000, readonly = true, no_search = true, description = "Files that were sent." },
    text "Excluded" { length = 8000, readonly = true, no_search = true,
      description = "Files that were not, each with the reason." },
  },
}
