-- The words of entities/ and scripts/, and the checks of what each of them holds. Runs inside the sandbox, as the files
-- themselves do; gets three functions of the host and what schema.lua returns:
--   line()                  the line from which the noun was called, 0 where that is not known
--   find_option(name, from) the first line at or after `from` where the option `name = ...` stands, else `from`
--   find_text(text, from)   the same for a text in quotes
-- Returns: as_call(noun); the nouns by name; check(nouns allowed, what is added to or nil, what a file returns), which gives
-- a clean copy of its definition and a list of problems; code(definition, option).
local line, find_option, find_text, schema = ...
local schemas, kinds = schema.schemas, schema.kinds

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
local nameless = { "common", "hooks", "index", "sign_in", "scim" }
for _, noun in ipairs(nameless) do
  nouns[noun] = function(options)
    if type(options) ~= "table" or contents[options] then
      error(noun .. " takes its options in braces: " .. noun .. " { ... }", 2)
    end
    return define(noun, noun, options, schemas[noun].words and line() or 1)
  end
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
  if among(content.noun, nameless) then return content.noun end
  return content.noun .. " '" .. content.name .. "'"
end

local check_content

-- A list of definitions: a clean copy, problems reported. `where` names the list.
local function check_list(where, value, allowed, at, report)
  local clean = {}
  if type(value) ~= "table" or contents[value] then
    report(at, where .. " must be a list: { ... }")
    return clean
  end
  for i = 1, table.maxn(value) do
    local item = type(value[i]) == "table" and contents[value[i]]
    if item and among(item.noun, allowed.nouns) then
      clean[#clean + 1] = check_content(item, report, allowed.options, nil, allowed.needs)
    elseif item then
      report(item.line, label(item) .. " does not belong in " .. where)
    elseif type(value[i]) == "string" and allowed.texts then
      clean[#clean + 1] = { noun = "name", name = value[i], line = find_text(value[i], at), options = {}, lines = {} }
    elseif value[i] ~= nil then
      report(at, where .. " holds a " .. type(value[i]) .. " where a definition is due")
    end
  end
  for key in pairs(value) do
    if type(key) ~= "number" then
      report(find_option(tostring(key), at), where .. " is a list and has no names: '" .. tostring(key) .. "'")
    end
  end
  return clean
end

local function described(value)
  if type(value) == "string" then return "a text in quotes" end
  if type(value) == "number" then return tostring(value) end
  return contents[value] and label(contents[value]) or "a " .. type(value)
end

local function check_option(content, name, option, value, at, report)
  local kind = type(option) == "string" and kinds[option]
  if type(value) == "function" and not (kind and (option == "code" or option == "member")) then
    report(at, "'" .. name .. "' of " .. label(content) .. " is code where only data may stand: write the value itself")
  elseif type(option) == "table" and option.or_text and type(value) == "string" then
    return value
  elseif type(option) == "table" and option.nouns then
    return check_list("'" .. name .. "' of " .. label(content), value, option, at, report)
  elseif type(option) == "table" and type(value) ~= "string" then
    report(at, "'" .. name .. "' of " .. label(content) .. " must be one of " .. table.concat(option, ", "))
  elseif type(option) == "table" and not among(value, option) then
    report(at, "'" .. name .. "' of " .. label(content) .. " must be one of " .. table.concat(option, ", ") .. ", not '"
           .. value .. "'", value, option)
  elseif kind and not kind.holds(value) then
    report(at, "'" .. name .. "' of " .. label(content) .. " must be " .. kind.says .. ", not " .. described(value))
  elseif option == "one_or_more" and type(value) == "string" then
    return { value }
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

-- The texts of a definition that stand beside its options.
local function check_words(content, clean, name, report)
  local words = {}
  for i = 1, table.maxn(content.options) do
    if type(content.options[i]) == "string" then words[#words + 1] = content.options[i] end
  end
  if #words == 0 then report(content.line, label(content) .. " names no " .. name) end
  clean.options[name] = words
  note_words(clean.lines, name, words, content.line)
end

local function check_options(content, clean, options, instead, report)
  local words = schemas[content.noun].words
  if words then check_words(content, clean, words, report) end
  for name, value in pairs(content.options or {}) do
    if type(name) ~= "string" then
      local is_word = words and type(name) == "number" and type(value) == "string"
      local item = type(value) == "table" and contents[value]
      if not is_word then
        report(item and item.line or content.line,
               (item and label(item) or "a " .. type(value)) .. " stands in " .. label(content) .. " without a name: name = value")
      end
    else
      local at = find_option(name, content.line)
      local option = options[name] or schemas[content.noun].any
      if not option then
        report(at, "unknown option '" .. name .. "' of " .. label(content), name, keys(options), instead[name])
      else
        clean.options[name] = check_option(content, name, option, value, at, report)
        clean.lines[name] = at
        if type(option) == "string" and option ~= "member" then note_words(clean.lines, name, clean.options[name] or value, at) end
      end
    end
  end
end

-- `options`: what it may have in the place where it stands, if that is not what its noun says. `addition`: what add_to holds
-- there.
function check_content(content, report, options, addition, needs)
  local allowed = addition or schemas[content.noun]
  local clean = { noun = content.noun, name = content.name, line = content.line, options = {}, lines = {} }
  if allowed.items then
    clean.items = check_list(label(content), content.options or {}, allowed.items, content.line, report)
    if next(content.options or {}) == nil then report(content.line, label(content) .. " is empty") end
    return clean
  end
  if allowed.any and next(content.options or {}) == nil then report(content.line, label(content) .. " is empty") end
  check_options(content, clean, options or allowed.options or {}, allowed.instead or {}, report)
  for _, name in ipairs(needs or allowed.needs or {}) do
    if (content.options or {})[name] == nil then report(content.line, label(content) .. " needs '" .. name .. "'") end
  end
  if content.noun == "extension" and (clean.options.value == nil) == (clean.options.values == nil) then
    report(content.line, label(content) .. " needs either 'value', for one record, or 'values', for a page of them")
  end
  return clean
end

local function check(allowed, addition, value, ...)
  local problems = {}
  local function report(at, message, word, candidates, suggestion)
    problems[#problems + 1] = { line = at, message = message, word = word, candidates = candidates, suggestion = suggestion }
  end
  local content = type(value) == "table" and contents[value]
  if not content then
    local form = among(allowed[1], nameless) and " { ... }" or ' "Name" { ... }'
    report(1, "the file must return a definition: return " .. table.concat(allowed, " or ") .. form)
    return nil, problems
  end
  if not among(content.noun, allowed) then
    local place = addition and "a file with a plus in its name" or "a file in this folder"
    report(content.line, place .. " defines " .. table.concat(allowed, " or ") .. ", not " .. label(content), nil, nil,
           content.noun == "add_to" and "a file that adds has a plus in its name: " .. content.name .. "+<anything>.lua" or nil)
    return nil, problems
  end
  if select("#", ...) > 0 then
    local more = contents[(...)]
    report(more and more.line or content.line,
           "the file returns more than " .. label(content) .. ", which nobody reads; a file holds one definition")
  end
  return check_content(content, report, nil, addition and schema.additions[addition]), problems
end

-- The function that a definition has for an option.
local function code(value, option)
  return contents[value].options[option]
end

-- A noun as the __call of a table, for a word that names a library too (datetime). A tail call, so that line() still finds
-- the file.
local function as_call(noun)
  return function(_, name) return noun(name) end
end

return { nouns = nouns, check = check, code = code, as_call = as_call }
