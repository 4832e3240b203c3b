-- What a person may not change in the own profile.
local of_the_desk = {
  "LoginId", "IsAnalyst", "IsUser", "IsVip", "IsActive", "Organization", "Manager", "Department", "JobTitle", "Partition",
}

local function check_login(person)
  if not person.LoginId then return end
  for _, other in ipairs(desk.search("person", { LoginId = person.LoginId })) do
    if other ~= person then reject("LoginId: " .. person.LoginId .. " is taken.") end
  end
end

local function check_profile(person, before)
  for _, name in ipairs(of_the_desk) do
    if person[name] ~= before[name] then forbid(name .. ": only the desk changes it.") end
  end
end

local function end_sessions(person)
  for _, session in ipairs(desk.search("session", { Person = person.Ref })) do session:act "delete" end
end

local function set_name(person)
  person.Name = person.FirstName and person.LastName and person.FirstName .. " " .. person.LastName or person.LastName
end

return hooks {
  before_create = function(person)
    check_login(person)
    set_name(person)
  end,

  before_update = function(person, before, session)
    if session.type == "User" then check_profile(person, before) end
    if person.LoginId ~= before.LoginId then check_login(person) end
    set_name(person)
  end,

  after_update = function(person, before)
    if before.IsActive and not person.IsActive then end_sessions(person) end
  end,

  after_delete = function(person) end_sessions(person) end,
}
