return entity "sample" { properties = { text "A" text "B" } }
