return add_to "call" {
  properties = { text "CostCentre" { length = 10, uppercase = true, description = "Who pays for it." } },
}
