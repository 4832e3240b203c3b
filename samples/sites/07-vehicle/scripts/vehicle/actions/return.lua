return action "return" { description = "It runs again.", from = "In the shop", moves_to = "In use" }
