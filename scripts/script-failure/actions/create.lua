return action "create" { supported = false }
