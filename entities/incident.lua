return entity "incident" {
  extends     = "call",
  status      = "GA",
  top_level   = true,
  description = "An unplanned interruption of a service, or a loss of its quality.",
  properties  = {
    boolean "MajorIncident" { stored = { "Y", "N" }, default = false,
      description = "Handled by the major-incident procedure." },
    richtext "Workaround" { description = "How people can go on working until it is fixed." },
    integer "AffectedUsers" { default = 1, description = "How many people cannot work." },
  },
}
