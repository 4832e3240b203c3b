local status = require "lib.status"

return action "restore" {
  description = "Take it back into use, with the status that it had, or with the one that you give.",
  offered     = "!IsFrozen && Status.IsRetired",
  raises      = "Restored",
  optional    = { "Status" },
  run = function(asset)
    if status.is_retired(asset.Status) then asset.Status = asset.FormerStatus or null end
  end,
}
