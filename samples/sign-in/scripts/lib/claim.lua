-- Providers tell groups in several forms: "one", "one two", { "one", "two" }, { { id = "7", displayName = "one" } }.
local function name_of(entry)
  if type(entry) ~= "table" then return entry end
  return entry.displayName or entry.display or entry.name or entry.value or entry.id
end

return library "claim" {
  -- { one = true, two = true }; nothing is no group
  names = function(value)
    local names = {}
    if type(value) == "string" then value = text.split(value, " ") end
    for _, entry in ipairs(value or {}) do
      local name = name_of(entry)
      if type(name) == "string" and name ~= "" then names[name] = true end
    end
    return names
  end,
}
