return action "resolve" {
  description = "Say that the matter is settled; the caller has yet to confirm it.",
  from        = { "Open", "Open/Unresolved" },
  offered     = "!@IsLockedByOther",
  moves_to    = "Open/Resolved",
  raises      = "Resolved",
  mandatory   = { richtext "Description" { description = "What was done." } },
  optional    = { "Reason", "Solution", "Status" },
  run = function(call) call.ResolvedDate = datetime.now() end,
}
