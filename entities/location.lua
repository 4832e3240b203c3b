return entity "location" {
  description = "A place: a site, a building, a floor, a room.",
  status      = "GA",
  writers     = "Administration",
  summary     = { "Ref", "Name", "City", "Country" },
  properties  = {
    text "Name" { length = 120, required = true, indexed = true, description = "What people call it." },
    lookup "Parent" { entity = "location", display_types = { "TieredSelect" },
      description = "The larger place that it lies in." },
    text "Address" { length = 255, description = "Street and number." },
    text "City" { length = 80, description = "Town or city." },
    text "PostCode" { length = 20, description = "Postal code, as that country writes it." },
    text "Country" { length = 80, description = "Country." },
  },
}
