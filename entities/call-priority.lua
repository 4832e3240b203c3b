return entity "call-priority" {
  description = "How urgently a call is worked on, and the times that are promised for it.",
  status      = "GA",
  writers     = "Administration",
  summary     = { "Ref", "Name", "Rank" },
  properties  = {
    text "Name" { length = 17, required = true, indexed = true, description = "What people call it." },
    integer "Rank" { description = "1 is the most urgent." },
    integer "ResponseMinutes" { description = "Within how many minutes somebody takes note." },
    integer "ResolveMinutes" { description = "Within how many minutes such a call is settled; its DueDate follows from it." },
    text "Calendar" { length = 40, description = "Whose working hours these minutes are, such as vienna; around the clock without one." },
    boolean "IsDefault" { default = false, description = "Calls get it when nothing else says which." },
  },
}
