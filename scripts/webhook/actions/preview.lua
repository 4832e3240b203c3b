return action "preview" {
  title       = "Preview",
  description = "Shows what would be sent for an event of a record, as far as its owner and this session may read it, and sends nothing.",
  mandatory   = {
    text "Entity" { length = 40, description = "The record's entity, such as incident." },
    integer "Ref" { description = "The record's Ref." },
    text "Event" { length = 60, description = "The event's name, such as Created." },
  },
}
