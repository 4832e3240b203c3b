return add_to "call" { properties = { integer "YearNumber" { readonly = true, description = "Counts within the year." } } }
