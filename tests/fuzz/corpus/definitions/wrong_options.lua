return entity "sample" { statsu = "GA", properties = { "x", txt = text "A", text "B" { length = -1 } } }
