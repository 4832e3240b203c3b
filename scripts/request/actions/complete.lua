return action "complete" {
  description = "Close the request as done. Its tasks must be, too, unless you force it.",
  from        = "Open",
  moves_to    = "Closed",
  raises      = "Completed",
  optional    = {
    text "ImplementationState" { length = 40, default = "Implemented",
      description = "Implemented, Partly implemented or Not implemented." },
    boolean "Force" { default = false, description = "Close it although tasks are open." },
    richtext "Description" { description = "How it went." },
  },
  run = function(request, input)
    local open = desk.count("task", "Request == ? && State in (0, 1, 2)", request)
    if open > 0 and not input.Force then
      reject(open .. " of its tasks are open; finish or skip them, or complete the request with Force.")
    end
    request.ImplementationState = input.ImplementationState or "Implemented"
  end,
}
