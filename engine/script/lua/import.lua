-- The words of import maps (samples/import/README.md). Runs inside the sandbox, as the map itself does; gets one function
-- of the host:
--   line()  the line from which a word was called, 0 where that is not known
-- Returns: the words by name; read(map), which gives the host plain tables, with functions and lookups numbered.
local line = ...

-- What a word said stays in here, out of the reach of the map.
local contents = setmetatable({}, { __mode = "k" })

local function define(content, metatable)
  local self = setmetatable({}, metatable or { __metatable = "import" })
  contents[self] = content
  return self
end

local function is_plain(value)
  return type(value) == "string" or type(value) == "number" or type(value) == "boolean"
end

local block = { __metatable = "import" }   -- record, rows, find_or_create

function block.__call(self, fields)
  local content = contents[self]
  if type(fields) ~= "table" or contents[fields] then
    error(content.word .. " '" .. content.entity .. "' takes its properties in braces: { Name = value, ... }", 2)
  end
  if content.fields then
    error(content.word .. " '" .. content.entity .. "' has its properties twice; is a comma missing?", 2)
  end
  content.fields = fields
  return self
end

local words = { position = define { kind = "position" }, parent = define { kind = "parent" } }

for _, word in ipairs { "record", "rows", "find_or_create" } do
  words[word] = function(entity, ...)
    if type(entity) ~= "string" then error(word .. " needs the name of an entity in quotes: " .. word .. ' "name" { ... }', 2) end
    if select("#", ...) > 0 then error(word .. " takes the name of an entity alone, and its properties in braces behind it", 2) end
    return define({ word = word, entity = entity, line = line() }, block)
  end
end

function words.always(value)
  if not is_plain(value) then error("always takes a text, a number, true or false", 2) end
  return define { kind = "always", value = value }
end

function words.join(separator, ...)
  local columns, count = { ... }, select("#", ...)
  local is_right = type(separator) == "string" and count > 0
  for i = 1, count do is_right = is_right and type(columns[i]) == "string" end
  if not is_right then error('join takes a separator and columns: join(" / ", "one", "two")', 2) end
  return define { kind = "join", separator = separator, columns = columns }
end

function words.one_of(column, answers)
  if type(column) ~= "string" or type(answers) ~= "table" then
    error('one_of takes a column and a table: one_of("column", { ["New"] = 0 })', 2)
  end
  local copy = {}
  for text, answer in pairs(answers) do
    if type(text) ~= "string" or not is_plain(answer) then
      error("one_of's table holds texts, and for each a text, a number, true or false", 2)
    end
    copy[text] = answer
  end
  return define { kind = "one_of", columns = { column }, answers = copy }
end

function words.import(options)
  if type(options) ~= "table" or contents[options] then error("import takes its options in braces: import { ... }", 2) end
  return define { kind = "import", options = options }
end

-- One reading of a map.
local function reader()
  local functions, lookups, numbers = {}, {}, {}
  local read_block

  local function read_lookup(value, content)
    if numbers[value] == 0 then error("find_or_create '" .. content.entity .. "' stands within itself", 0) end
    if not numbers[value] then
      numbers[value] = 0
      local this = read_block(content)   -- first, since lookups within it come before it
      lookups[#lookups + 1] = this
      numbers[value] = #lookups
    end
    return { kind = "lookup", number = numbers[value] }
  end

  local function read_value(value)
    if type(value) == "string" then return { kind = "column", columns = { value } } end
    if type(value) == "function" then
      functions[#functions + 1] = value
      return { kind = "code", number = #functions }
    end
    local content = contents[value]
    if content and content.word == "find_or_create" then return read_lookup(value, content) end
    if content and content.kind and content.kind ~= "import" then return content end
    if content then return { kind = "wrong", says = (content.word or content.kind) .. " is no value" } end
    if is_plain(value) then return { kind = "wrong", says = "write always(" .. tostring(value) .. ")" } end
    return { kind = "wrong", says = "a " .. type(value) .. " is no value" }
  end

  -- Sorted by name, so that everything has the same number whenever the map is read again.
  function read_block(content)
    local names, fields, has_list = {}, {}, false
    for name in pairs(content.fields or {}) do
      if type(name) == "string" then names[#names + 1] = name else has_list = true end
    end
    table.sort(names)
    for _, name in ipairs(names) do
      if name ~= "by" then fields[#fields + 1] = { name = name, value = read_value(content.fields[name]) } end
    end
    local by = content.fields and content.fields.by
    if type(by) ~= "table" then by = { by } end
    return { word = content.word, entity = content.entity, line = content.line, fields = fields, by = by,
             has_fields = content.fields ~= nil, has_list = has_list }
  end

  return { functions = functions, lookups = lookups, read_block = read_block }
end

local function read(map)
  local content = type(map) == "table" and contents[map]
  if not content or content.kind ~= "import" then error("the file must return a map: return import { ... }", 0) end
  local this = reader()
  local result = { options = {}, blocks = {}, lookups = this.lookups, functions = this.functions }
  for name, value in pairs(content.options) do
    if type(name) == "string" then result.options[name] = value end
  end
  for i = 1, table.maxn(content.options) do
    local item = contents[content.options[i] or false]
    if not item or (item.word ~= "record" and item.word ~= "rows") then
      error("import holds options, a record and rows; number " .. i .. " of its list is none of them", 0)
    end
    result.blocks[i] = this.read_block(item)
  end
  return result
end

return { words = words, read = read }
