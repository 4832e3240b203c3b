return action "preview" {
  title       = "Preview",
  description = "Shows what would be sent for an event of a record, and sends nothing.",
  raises      = "Previewed",
  mandatory   = {
    text "Entity" { length = 40, description = "The record's entity, such as incident." },
    integer "Ref" { description = "The record's Ref." },
    text "Event" { length = 60, description = "The event's name, such as Created." },
  },
}
