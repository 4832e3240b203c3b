return add_to "call" { properties = { boolean "IsWarned" { readonly = true, default = false, description = "Told that it is due." } } }
