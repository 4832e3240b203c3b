return entity "call-status" {
  description = "The finer shades of a state that a desk chooses for itself.",
  status      = "GA",
  writers     = "Administration",
  summary     = { "Ref", "Name", "IsDefault" },
  properties  = {
    text "Name" { length = 40, required = true, description = "What people call it." },
    boolean "IsDefault" { default = false, description = "New calls begin with it." },
    boolean "IsResolve" { default = false, description = "Offered when a call is resolved." },
    boolean "IsClose" { default = false, description = "Offered when a call is closed." },
    boolean "StopsClock" { default = false, description = "The clock stands while a call has it." },
  },
}
