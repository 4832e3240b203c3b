return add_to "group-member" { properties = { datetime "LastGiven" { readonly = true, description = "When a call came last." } } }
