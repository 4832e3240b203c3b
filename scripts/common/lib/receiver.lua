-- Who may be handed work: what the actions forward of calls, requests and tasks have in common.
return {
  check = function(input)
    local receiver = input.ReceivingAnalyst and desk.find("person", input.ReceivingAnalyst)
    if receiver and not receiver.IsAnalyst then reject "ReceivingAnalyst: this person is no analyst." end
  end,
}
