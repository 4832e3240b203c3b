return action "retire" {
  description = "Take it out of use.",
  offered     = "!IsFrozen && !Status.IsRetired",
  raises      = "Retired",
  optional    = { "Status" },
  run = function(asset)
    local status = asset.Status and desk.find("asset-status", asset.Status)
    if status and status.IsRetired then return end
    local retired = desk.search("asset-status", { IsRetired = true })[1]
    if not retired then reject "There is no status for assets that are out of use." end
    asset.Status = retired.Ref
  end,
}
