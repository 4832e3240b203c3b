return entity "sequence" { right = "Administration", properties = { text "Name" { length = 40, indexed = true }, integer "Last" } }
