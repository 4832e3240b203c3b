local status = require "lib.status"

return action "retire" {
  description = "Take it out of use.",
  offered     = "!IsFrozen && !Status.IsRetired",
  raises      = "Retired",
  optional    = { "Status" },
  run = function(asset)
    if status.is_retired(asset.Status) then return end
    local retired = desk.first("asset-status", "IsRetired")
    if not retired then reject "There is no status for assets that are out of use." end
    asset.Status = retired.Ref
  end,
}
