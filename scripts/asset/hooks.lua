local function is_retired(key)
  local status = key and desk.find("asset-status", key)
  return status and status.IsRetired
end

return hooks {
  -- restore brings the last one back.
  before_update = function(asset, before)
    if asset.Status ~= before.Status and before.Status and not is_retired(before.Status) then
      asset.FormerStatus = before.Status
    end
  end,
}
