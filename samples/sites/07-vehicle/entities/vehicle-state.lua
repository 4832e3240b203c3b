return entity "vehicle-state" { properties = { text "Name" { length = 40, required = true } } }
