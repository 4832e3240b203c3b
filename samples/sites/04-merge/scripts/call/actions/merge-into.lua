return action "merge-into" {
  description = "End this call, since another tells of the same.",
  from        = "Open*",
  moves_to    = "Closed",
  raises      = "Merged",
  mandatory   = { lookup "Other" { entity = "call", description = "The call that goes on." } },
  run = function(call, input)
    local other = desk.find("call", input.Other)
    if not other or other.Ref == call.Ref then reject "Other: give another call" end
    other:act("add-note", { Description = "The same is told by " .. call.CallRef .. ".", IsPublic = false })
    call.ClosedDate, call.Solution = datetime.now(), "See " .. other.CallRef .. "."
  end,
}
