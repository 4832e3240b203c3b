return action "update" { supported = false }
