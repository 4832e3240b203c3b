-- The words of entities/ and scripts/ as definitions for editors, from the schema that checks them. Gets what schema.lua
-- returns and answers a text.
local schemas, additions = (...).schemas, (...).additions

local types = {
  text = "string", flag = "boolean", whole = "integer", plain = "string|number|boolean", texts = "string[]",
  one_or_more = "string|string[]", grants = "table<string, boolean|string>", pair = "string[]", names = "table<string, string>",
}

-- What the functions of a definition are given, by noun, or by noun and option.
local code = {
  token = "fun(session: session): any", func = "fun(...): any", action = "fun(record: record, input: input, session: session): any",
  ["extension.value"] = "fun(record: table<string, any>, session: session): any",
  ["extension.values"] = "fun(records: table<string, any>[], session: session): any[]",
  hooks = "fun(record: record, before: before, session: session)",
  add_to = "fun(record: record, input: input, session: session)",
  ["add_to.augmenter.after"] = "fun(value: any, ...: any): any",
  ["hooks.history"] = "fun(record: record, before: before, action: action_info, input: input, session: session): table?",
}
local nameless = { common = true, hooks = true, index = true }

local function sorted(map)
  local names = {}
  for name in pairs(map) do names[#names + 1] = name end
  table.sort(names)
  return names
end

local function list_of(option)
  local parts = {}
  for i, noun in ipairs(option.nouns) do parts[i] = "noun." .. noun end
  if option.texts then parts[#parts + 1] = "string" end
  return "(" .. table.concat(parts, "|") .. ")[]"
end

local function type_of(noun, name, option)
  if option == "code" then return code[noun .. "." .. name] or code[noun:match "^[^.]+"] or "function" end
  if type(option) == "string" then return types[option] end
  if option.nouns then return (option.or_text and "string|" or "") .. list_of(option) end
  local choices = {}
  for i, each in ipairs(option) do choices[i] = '"' .. each .. '"' end
  return table.concat(choices, "|")
end

local lines = {}
local function add(line) lines[#lines + 1] = line end

local function add_options(noun, schema)
  local needed = {}
  for _, name in ipairs(schema.needs or {}) do needed[name] = true end
  add("---@class options." .. noun)
  if schema.words then add "---@field [integer] string" end
  local names = sorted(schema.options)
  -- A parameter of an action may say more than a property does.
  local more = schemas.any_of.items.options
  if schema.options == schemas.text.options then
    for _, name in ipairs(sorted(more)) do
      if not schema.options[name] then names[#names + 1] = name end
    end
    table.sort(names)
  end
  for _, name in ipairs(names) do
    local mark = needed[name] and "" or "?"
    add("---@field " .. name .. mark .. " " .. type_of(noun, name, schema.options[name] or more[name]))
  end
  add ""
end

-- What add_to takes beside what it takes for an entity.
local function takes_of_additions(noun)
  if noun ~= "add_to" then return "" end
  local text = ""
  for _, name in ipairs(sorted(additions)) do
    local addition = additions[name]
    if addition.options then add_options("add_to." .. name, addition) end
    text = text .. "|" .. (addition.items and list_of(addition.items) or "options.add_to." .. name)
  end
  return text
end

add "-- The words of definitions ---------------------------------------------------------------------------------------------"
add ""
for _, noun in ipairs(sorted(schemas)) do
  local schema = schemas[noun]
  local takes = schema.items and list_of(schema.items) or schema.any and "table<string, any>" or "options." .. noun
  if schema.options then add_options(noun, schema) end
  takes = takes .. takes_of_additions(noun)
  add("---@class noun." .. noun)
  if not nameless[noun] then add("---@overload fun(options: " .. takes .. "): noun." .. noun) end
  add ""
  if noun ~= "datetime" and noun ~= "text" then   -- which are libraries too
    add("---@param " .. (nameless[noun] and "options " .. takes or "name string"))
    add("---@return noun." .. noun)
    add("function " .. noun .. "(" .. (nameless[noun] and "options" or "name") .. ") end")
    add ""
  end
end
return table.concat(lines, "\n")
