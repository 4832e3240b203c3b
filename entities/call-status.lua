return entity "call-status" {
  description = "Finer steps within a state, which a desk chooses for itself.",
  status      = "GA",
  writers     = "Administration",
  summary     = { "Ref", "Name", "IsDefault" },
  properties  = {
    text "Name" { length = 40, required = true, indexed = true, description = "What people call it." },
    boolean "IsDefault" { default = false, description = "New calls begin with it." },
    boolean "IsResolve" { default = false, description = "Offered when a call is resolved." },
    boolean "IsClose" { default = false, description = "Offered when a call is closed." },
    boolean "StopsClock" { default = false, description = "The clock is stopped while a call has this status." },
  },
}
