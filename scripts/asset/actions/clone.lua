-- What a copy takes over. Number plates, as it were, stay with the original: serial number, host name, address.
local shared = { "Description", "Status", "Owner", "Organization", "Location", "Partition" }
local own = {
  ["service"] = { "Category", "Criticality", "SupportGroup" },
  ["configuration-item"] = {
    "Type", "Manufacturer", "Model", "Version", "PurchaseDate", "PurchaseCost", "WarrantyEnd", "User",
  },
}

-- A character may be several bytes: one that begins it, and those that go on with it.
local function first(text, count)
  local characters = {}
  for character in text:gmatch "[^\128-\191][\128-\191]*" do
    if #characters == count then break end
    characters[#characters + 1] = character
  end
  return table.concat(characters)
end

local function free_ref(original)
  for number = 1, 99 do
    local ending = number == 1 and "-COPY" or "-COPY" .. number
    local ref = first(original, 40 - #ending) .. ending
    if #desk.search("asset", { AssetRef = ref }) == 0 then return ref end
  end
  reject "NewAssetRef: there are 99 copies already; say what this one is called."
end

return action "clone" {
  description = "Make a copy, which is the answer. It is not frozen, whatever the original is.",
  raises      = "Cloned",
  optional    = {
    text "NewAssetRef" { length = 40, uppercase = true, description = "AssetRef of the copy; otherwise -COPY is added." },
    text "NewName" { length = 120, description = "Name of the copy; otherwise the same." },
  },
  run = function(asset, input)
    local copy = {
      AssetRef = input.NewAssetRef or free_ref(asset.AssetRef),
      Name = input.NewName or asset.Name,
    }
    for _, list in ipairs { shared, own[asset.RecordType] or {} } do
      for _, name in ipairs(list) do copy[name] = asset[name] end
    end
    return desk.create(asset.RecordType, copy)
  end,
}
