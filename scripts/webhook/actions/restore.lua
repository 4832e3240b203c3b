-- A webhook that is deleted is gone.
return action "restore" { deleted = true, supported = false }
