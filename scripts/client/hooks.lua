local known = { password = true, refresh_token = true, authorization_code = true, client_credentials = true }

local function check(client)
  for word in (client.Grants or ""):gmatch "%S+" do
    if not known[word] then
      reject("Grants: " .. word .. " is none of password, refresh_token, authorization_code, client_credentials.")
    end
  end
  for uri in (client.RedirectUris or ""):gmatch "%S+" do
    if not uri:match "^%a[%w+.-]*:." or uri:find("#", 1, true) then
      reject("RedirectUris: " .. uri .. " is no absolute uri without a fragment.")
    end
  end
end

return hooks {
  before_create = check,
  before_update = check,
}
