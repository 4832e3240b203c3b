local works = { Read = true, Create = true, Update = true, Delete = true, Action = true }
local plain = { Administration = true, Integration = true }

local function check_rights(role)
  for word in (role.Rights or ""):gmatch "%S+" do
    local entity, work = word:match "^([%l*][%l%d-]*):(%u%l+)$"
    if not plain[word] and not (entity and works[work]) then
      reject("Rights: " .. word .. " is none. Write Administration, Integration, or entity:work such as call:Update or *:Read.")
    end
  end
end

return hooks { before_create = check_rights, before_update = check_rights }
