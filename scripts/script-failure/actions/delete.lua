return action "delete" { supported = false }
