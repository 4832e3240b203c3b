return entity "organization" {
  description = "A company, authority or department that people belong to.",
  status      = "GA",
  writers     = "Administration",
  summary     = { "Ref", "Name", "City", "Country" },
  properties  = {
    text "Name" { length = 120, required = true, indexed = true, description = "What people call it." },
    lookup "Parent" { entity = "organization", description = "The organisation that it is part of." },
    text "City" { length = 80, description = "Where it has its seat." },
    text "Country" { length = 80, description = "The country of its seat." },
    text "Phone" { length = 40, description = "Its switchboard." },
    text "Website" { length = 255, description = "Its address on the web." },
  },
}
