return add_to "call" { properties = { lookup "Vehicle" { entity = "vehicle", description = "The car that it is about." } } }
