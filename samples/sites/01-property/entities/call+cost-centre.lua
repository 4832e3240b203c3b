return add_to "call" {
  properties = { text "CostCentre" { length = 10, uppercase = true, indexed = true, description = "Who pays for it." } },
}
