local function is_retired(key)
  local status = key and desk.find("asset-status", key)
  return status and status.IsRetired
end

local function check_ref(asset)
  for _, other in ipairs(desk.search("asset", { AssetRef = asset.AssetRef })) do
    if other ~= asset then reject("AssetRef: " .. asset.AssetRef .. " is not allowed, choose another.") end
  end
end

return hooks {
  before_create  = function(asset) if asset.AssetRef then check_ref(asset) end end,
  before_restore = check_ref,

  -- restore brings the last one back.
  before_update = function(asset, before)
    if asset.AssetRef and asset.AssetRef ~= before.AssetRef then check_ref(asset) end
    if asset.Status ~= before.Status and before.Status and not is_retired(before.Status) then
      asset.FormerStatus = before.Status
    end
  end,
}
