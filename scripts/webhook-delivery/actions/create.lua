-- Made by other actions alone: test and redeliver. The event is what sends it.
return action "create" { supported = false, raises = "Created" }
