return action "restore" {
  description = "Take it back into use, with the status that it had, or with the one that you give.",
  offered     = "!IsFrozen && Status.IsRetired",
  raises      = "Restored",
  optional    = { "Status" },
  run = function(asset)
    local status = asset.Status and desk.find("asset-status", asset.Status)
    if status and status.IsRetired then asset.Status = asset.FormerStatus or null end
  end,
}
