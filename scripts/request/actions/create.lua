return action "create" {
  title       = "Create",
  may_move_to = { "Open", "AwaitingAuthorization" },
  description = "Put a request on record. Submit = false keeps it New until somebody submits it.",
  allowed     = { Analyst = true, User = true },
  raises      = "Created",
  mandatory   = { "Title" },  -- no mutant: the property is required of every record
  optional    = { boolean "Submit" { default = true, description = "False: it is only recorded, and nobody works on it yet." } },
  run = function(request, input, session)
    if input.Submit ~= false then request.State = 2 end
    if session.type == "User" then request.User = session.user_id end
  end,
}
