return entity "vehicle" {
  description = "A car of the house.",
  properties = {
    text "Plate" { length = 12, uppercase = true, indexed = true, required = true },
    lookup "State" { entity = "vehicle-state" },
  },
}
