-- The words of entities/ and scripts/, and the schema that says what each of them may hold. Runs inside the sandbox, as the
-- files themselves do; gets three functions of the host:
--   line()                  the line from which the noun was called, 0 where that is not known
--   find_option(name, from) the first line at or after `from` where the option `name = ...` stands, else `from`
--   find_text(text, from)   the same for a text in quotes
-- Returns: as_call(noun); the nouns by name; check(definition, nouns allowed), which gives a clean copy and a list of problems; code(definition).
local line, find_option, find_text = ...

local property_options = {
  description = "text", display = "text", display_types = "texts", class = { "Computed" },
  length = "whole", scale = "whole", stored = "pair", default = "plain", entity = "text", mirror = "text",
  uppercase = "flag", required = "flag", readonly = "flag", internal = "flag", indexed = "flag", searchable = "flag",
  no_search = "flag",
}
local property_nouns = {
  "key", "text", "richtext", "integer", "long", "short", "float", "double", "decimal", "boolean", "datetime", "binary", "lookup",
}
local data_types = {
  "Binary", "Boolean", "DateTime", "Integer", "Long", "Float", "Double", "Decimal", "Short", "Text", "RichText", "Lookup",
}

-- What an option may hold: the name of a kind below, a list of the texts to choose from, or { nouns = ... } for a list of
-- definitions. `needs` names the options that must be there.
local schemas = {
  entity = {
    options = {
      extends = "text", description = "text", display = "text", status = { "Alpha", "Beta", "GA" },
      abstract = "flag", top_level = "flag", partitioned = "flag", history = "flag", attachments = "flag", deletable = "flag",
      summary = "texts", query_aliases = "names", properties = { nouns = property_nouns }, sub_resources = { nouns = { "list" } },
    },
    needs = {},
  },
  common = { options = { properties = { nouns = property_nouns } }, needs = { "properties" } },
  list = { options = { entity = "text", link = "text", type_link = "text" }, needs = { "entity", "link" } },
  condition = { options = { description = "text", filter = "text" }, needs = { "filter" } },
  token = { options = { description = "text", returns = data_types, value = "code" }, needs = { "returns", "value" } },
  func = {
    options = {
      description = "text", returns = data_types, parameters = { nouns = property_nouns }, constant = "flag", value = "code",
    },
    needs = { "returns", "value" },
  },
  extension = {
    options = { description = "text", returns = data_types, needs = "texts", value = "code", values = "code" },
    needs = { "returns" },
  },
  session_list = { options = { entity = "text", where = "text", select = "text" }, needs = { "entity", "where", "select" } },
}
for _, noun in ipairs(property_nouns) do schemas[noun] = { options = property_options, needs = {} } end

local function list_of_texts(value)
  for key, each in pairs(value) do
    if type(key) ~= "number" or type(each) ~= "string" then return false end
  end
  return true
end

local kinds = {
  text  = { says = "a text in quotes", holds = function(value) return type(value) == "string" end },
  flag  = { says = "true or false", holds = function(value) return type(value) == "boolean" end },
  code  = { says = "a function", holds = function(value) return type(value) == "function" end },
  whole = { says = "a whole number from 0 on",
            holds = function(value) return type(value) == "number" and value >= 0 and value % 1 == 0 and value < 2 ^ 31 end },
  plain = { says = "a text, a number, true or false",
            holds = function(value) return type(value) == "string" or type(value) == "number" or type(value) == "boolean" end },
  texts = { says = 'a list of texts: { "One", "Two" }',
            holds = function(value) return type(value) == "table" and list_of_texts(value) end },
  pair  = { says = 'two texts, for true and for false: { "Y", "N" }',
            holds = function(value) return type(value) == "table" and list_of_texts(value) and #value == 2 end },
  names = { says = 'names for names: { Alias = "Property" }',
            holds = function(value)
              if type(value) ~= "table" then return false end
              for key, each in pairs(value) do
                if type(key) ~= "string" or type(each) ~= "string" then return false end
              end
              return true
            end },
}

-- What a definition says stays in here, out of the reach of the file that made it.
local contents = setmetatable({}, { __mode = "k" })
local definition = { __metatable = "definition" }

function definition.__call(self, options)
  local content = contents[self]
  if type(options) ~= "table" or contents[options] then
    error(content.noun .. " '" .. content.name .. "' takes its options in braces: { name = value, ... }", 2)
  end
  if content.options then error(content.noun .. " '" .. content.name .. "' has its options twice; is a comma missing?", 2) end
  content.options = options
  return self
end

local function define(noun, name, options, at)
  local self = setmetatable({}, definition)
  contents[self] = { noun = noun, name = name, options = options, line = at }
  return self
end

local nouns = {}
for noun in pairs(schemas) do
  nouns[noun] = function(name)
    if type(name) ~= "string" then error(noun .. ' needs its name in quotes: ' .. noun .. ' "Name"', 2) end
    return define(noun, name, nil, line())
  end
end
function nouns.common(options)
  if type(options) ~= "table" then error("common takes its options in braces: common { ... }", 2) end
  return define("common", "common", options, find_text("common", 1))
end

local function keys(map)
  local names = {}
  for name in pairs(map) do names[#names + 1] = name end
  return names
end

local function among(value, list)
  for _, each in ipairs(list) do
    if each == value then return true end
  end
  return false
end

local function label(content)
  if content.noun == "common" then return "common" end
  return content.noun .. " '" .. content.name .. "'"
end

local check_content

-- A list of definitions: a clean copy, problems reported.
local function check_list(content, name, value, allowed, at, report)
  local clean = {}
  if type(value) ~= "table" or contents[value] then
    report(at, "'" .. name .. "' of " .. label(content) .. " must be a list: { ... }")
    return clean
  end
  for key, each in pairs(value) do
    local item = type(each) == "table" and contents[each]
    if type(key) ~= "number" then
      report(find_option(tostring(key), at), "'" .. name .. "' of " .. label(content) .. " is a list and has no names: '"
             .. tostring(key) .. "'")
    elseif not item then
      report(at, "'" .. name .. "' of " .. label(content) .. " holds a " .. type(each) .. " where a definition is due")
    elseif not among(item.noun, allowed) then
      report(item.line, label(item) .. " does not belong in '" .. name .. "' of " .. label(content))
    end
  end
  for i = 1, table.maxn(value) do
    local item = type(value[i]) == "table" and contents[value[i]]
    if item and among(item.noun, allowed) then clean[#clean + 1] = check_content(item, report) end
  end
  return clean
end

local function check_option(content, name, value, at, report)
  local option = schemas[content.noun].options[name]
  local kind = type(option) == "string" and kinds[option]
  if type(value) == "function" and not (kind and option == "code") then
    report(at, "'" .. name .. "' of " .. label(content) .. " is code where only data may stand")
  elseif type(option) == "table" and option.nouns then
    return check_list(content, name, value, option.nouns, at, report)
  elseif type(option) == "table" and type(value) ~= "string" then
    report(at, "'" .. name .. "' of " .. label(content) .. " must be one of " .. table.concat(option, ", "))
  elseif type(option) == "table" and not among(value, option) then
    report(at, "'" .. name .. "' of " .. label(content) .. " must be one of " .. table.concat(option, ", ") .. ", not '"
           .. value .. "'", value, option)
  elseif kind and not kind.holds(value) then
    report(at, "'" .. name .. "' of " .. label(content) .. " must be " .. kind.says)
  else
    return value
  end
end

-- The lines of the words of a list, as "summary/Name".
local function note_words(lines, name, value, at)
  if type(value) ~= "table" then return end
  for key, each in pairs(value) do
    if type(key) == "string" then lines[name .. "/" .. key] = find_option(key, at) end
    if type(each) == "string" then lines[name .. "/" .. each] = find_text(each, at) end
  end
end

function check_content(content, report)
  local schema = schemas[content.noun]
  local clean = { noun = content.noun, name = content.name, line = content.line, options = {}, lines = {} }
  for name, value in pairs(content.options or {}) do
    if type(name) ~= "string" then
      local item = type(value) == "table" and contents[value]
      report(item and item.line or content.line,
             (item and label(item) or "a " .. type(value)) .. " stands in " .. label(content) .. " without a name: name = value")
    else
      local at = find_option(name, content.line)
      if not schema.options[name] then
        report(at, "unknown option '" .. name .. "' of " .. label(content), name, keys(schema.options))
      else
        clean.options[name] = check_option(content, name, value, at, report)
        clean.lines[name] = at
        if type(schema.options[name]) == "string" then note_words(clean.lines, name, value, at) end
      end
    end
  end
  for _, name in ipairs(schema.needs) do
    if (content.options or {})[name] == nil then report(content.line, label(content) .. " needs '" .. name .. "'") end
  end
  if content.noun == "extension" and (clean.options.value == nil) == (clean.options.values == nil) then
    report(content.line, label(content) .. " needs either 'value', for one record, or 'values', for a page of them")
  end
  return clean
end

local function check(value, allowed)
  local problems = {}
  local function report(at, message, word, candidates)
    problems[#problems + 1] = { line = at, message = message, word = word, candidates = candidates }
  end
  local content = type(value) == "table" and contents[value]
  if not content then
    report(1, "the file must return a definition: return " .. table.concat(allowed, " or ") .. ' "Name" { ... }')
    return nil, problems
  end
  if not among(content.noun, allowed) then
    report(content.line, "a file in this folder defines " .. table.concat(allowed, " or ") .. ", not " .. label(content))
    return nil, problems
  end
  return check_content(content, report), problems
end

-- What a token, function or extension runs.
local function code(value)
  local options = contents[value].options
  return options.value or options.values
end

-- A noun as the __call of a table, for a word that names a library too (datetime). A tail call, so that line() still finds
-- the file.
local function as_call(noun)
  return function(_, name) return noun(name) end
end

return { nouns = nouns, check = check, code = code, as_call = as_call }
