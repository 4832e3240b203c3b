-- What a person may not change in the own profile.
local of_the_desk = {
  "FirstName", "LastName", "LoginId",
  "IsAnalyst", "IsUser", "IsVip", "IsActive", "Organization", "Manager", "Department", "JobTitle", "Partition",
}

-- What decides who may sign in, and as what, is for administrators, as deactivate and set-password are.
local of_signing_in = { "LoginId", "IsActive", "IsAnalyst", "IsUser" }

local function check_signing_in(person, before, session)
  for _, name in ipairs(of_signing_in) do
    if person[name] ~= before[name] and not session:may "Administration" then
      forbid(name .. ": only administrators change it.")
    end
  end
  if before.IsActive and not person.IsActive and person.Ref == session.user_id then
    reject "IsActive: nobody shuts himself out."
  end
end

-- Signing in cuts the blanks around a name, so no name has any.
local function check_login(person)
  if not person.LoginId then return end
  person.LoginId = text.trim(person.LoginId)
  if person.LoginId == "" then reject "LoginId: a name of blanks cannot be typed." end
  unique.check(person, "person", { LoginId = person.LoginId }, "LoginId: " .. person.LoginId .. " is taken.")
end

local function check_profile(person, before)
  for _, name in ipairs(of_the_desk) do
    if person[name] ~= before[name] then forbid(name .. ": only the desk changes it.") end
  end
end

local function set_name(person)
  person.Name = person.FirstName and person.LastName and person.FirstName .. " " .. person.LastName or person.LastName
end

return hooks {
  before_create = function(person, _, session)
    if person.IsAnalyst and not session:may "Administration" then
      forbid "IsAnalyst: only administrators make analysts."
    end
    check_login(person)
    set_name(person)
  end,

  before_restore = check_login,

  before_update = function(person, before, session)
    if session.type == "User" then check_profile(person, before) end
    check_signing_in(person, before, session)
    if person.LoginId ~= before.LoginId then check_login(person) end
    set_name(person)
  end,
}
