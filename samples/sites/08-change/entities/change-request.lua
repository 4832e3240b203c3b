return entity "change-request" { extends = "call", description = "A change that somebody approves first." }
