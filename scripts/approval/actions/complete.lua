return action "complete" { supported = false }
