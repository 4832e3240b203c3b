local grants = { password = true, refresh_token = true, authorization_code = true, client_credentials = true }

-- What a browser would run or open in place of going there.
local running = { javascript = true, data = true, vbscript = true, blob = true, file = true, about = true, filesystem = true }

local workbench = "/workbench/callback"   -- at this server itself, however it is called

local function takes_answers(uri)
  local scheme, rest = uri:match "^(%a[%w+.-]*):(.+)$"
  if not scheme or running[scheme:lower()] or uri:find "[^!-~]" or uri:find "[#\\]" then return false end
  if not scheme:lower():find "^https?$" then return true end
  local host = rest:match "^//([^/?]+)"
  return host ~= nil and host:sub(1, 1) ~= ":" and not host:find("@", 1, true)
end

local function check(client)
  for word in (client.Grants or ""):gmatch "%S+" do
    if not grants[word] then
      reject("Grants: " .. word .. " is none of password, refresh_token, authorization_code, client_credentials.")
    end
  end
  for uri in (client.RedirectUris or ""):gmatch "%S+" do
    if uri ~= workbench and not takes_answers(uri) then
      reject("RedirectUris: " .. uri .. " is no absolute uri without a fragment that a browser can be sent to.")
    end
  end
end

return hooks {
  before_create = check,
  before_update = check,
}
