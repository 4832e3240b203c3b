return action "repair" { description = "Bring it to the shop.", from = "In use", moves_to = "In the shop", raises = "Broken" }
