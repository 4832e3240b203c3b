-- What ended has ended.
return action "restore" { deleted = true, supported = false }
