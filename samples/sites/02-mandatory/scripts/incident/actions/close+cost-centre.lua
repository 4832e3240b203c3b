return add_to "close" { needs = { "CostCentre" } }
