return action "preview" {
  title       = "Preview",
  description = "Shows what would be sent for an event of a record, as far as its owner and this session may read it. Nothing is sent.",
  answers     = {
    boolean "Matches" { description = "Whether the webhook would be told of it." },
    text "Reason" { description = "Why it would not." },
    text "Url" { description = "Where it would go." },
    text "Headers" { description = "An object of texts." },
    text "Body" { description = "What would be sent, as it would be signed." },
    text "Attachments" { description = "The files of the record, and why one is left out." },
    text "Curl" { description = "The same as a line for a shell." },
  },
  mandatory   = {  -- no mutant: the server that answers asks for them by itself
    text "Entity" { length = 40, description = "The record's entity, such as incident." },
    integer "Ref" { description = "The record's Ref." },
    text "Event" { length = 60, description = "The event's name, such as Created." },
  },
}
