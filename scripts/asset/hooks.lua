local status = require "lib.status"

local function check_ref(asset)
  if not asset.AssetRef then return end
  unique.check(asset, "asset", { AssetRef = asset.AssetRef },
               "AssetRef: " .. tostring(asset.AssetRef) .. " is not allowed, choose another.")
end

return hooks {
  before_create  = check_ref,
  before_restore = check_ref,

  -- restore brings the last one back.
  before_update = function(asset, before)
    if asset.AssetRef ~= before.AssetRef then check_ref(asset) end
    local was_in_use = before.Status and not status.is_retired(before.Status)  -- no mutant: without one there is none to keep
    if asset.Status ~= before.Status and was_in_use then  -- no mutant: it counts once the asset is retired
      asset.FormerStatus = before.Status
    end
  end,
}
