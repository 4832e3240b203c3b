return action "ask-approval" { description = "Have it approved.", from = "Open", moves_to = "Awaiting approval" }
