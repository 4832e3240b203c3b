return action "create" {
  title       = "Create",
  may_move_to = "Open",
  description = "Put a call on record. Submit = false keeps it New until somebody submits it.",
  allowed     = { Analyst = true, User = true },
  raises      = "Created",
  mandatory   = { any_of "Matter" { "ShortDescription", "Description" } },
  optional    = { boolean "Submit" { default = true, description = "False: it is only recorded, and nobody works on it yet." } },
  run = function(call, input, session)
    if input.Submit ~= false then call.State = 1 end
    call.LoggedBy, call.LoggedDate = session.user_id, datetime.now()
    if session.type == "User" then call.User = session.user_id end
    if call.ReceivingGroup then call:act("forward", { ReceivingGroup = call.ReceivingGroup }) end
  end,
}
