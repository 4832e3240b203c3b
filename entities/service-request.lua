return entity "service-request" {
  extends     = "call",
  status      = "GA",
  description = "A wish for something that the desk provides: access, equipment, information.",
  properties  = {
    datetime "NeededBy" { display_types = { "DatePicker" }, description = "The day on which the caller needs it." },
  },
}
