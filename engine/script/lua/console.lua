-- What a person types at a console runs in an environment of its own, which keeps the names that it sets. Values come
-- back as text: records with their properties, lists of records as lines. Gets the functions of the host.
local host = ...
local specs = host["spec_desk.lua"]

local most_items, deepest = 50, 6
local environment = setmetatable({}, { __index = _G })
local show

local function is_plain(name) return type(name) == "string" and name:find "^[%a_][%w_]*$" end

-- Names in order, numbers first; without those that the list has.
local function names_of(value)
  local names, listed = {}, #value
  for name in pairs(value) do
    if type(name) ~= "number" or name < 1 or name > listed or name % 1 ~= 0 then names[#names + 1] = name end
  end
  table.sort(names, function(a, b)
    if type(a) == type(b) and type(a) ~= "table" and type(a) ~= "boolean" then return a < b end
    return type(a) < type(b)
  end)
  return names
end

local function items_of(value, depth)
  local items = {}
  for i = 1, math.min(#value, most_items) do items[i] = show(value[i], depth + 1) end
  if #value > most_items then items[#items + 1] = "... " .. #value - most_items .. " more" end
  for _, name in ipairs(names_of(value)) do
    local label = is_plain(name) and name or "[" .. show(name, depth + 1) .. "]"
    items[#items + 1] = label .. " = " .. show(value[name], depth + 1)
  end
  return items
end

local function show_table(value, depth)
  if depth > deepest then return "{...}" end
  local items = items_of(value, depth)
  if #items == 0 then return "{}" end
  local line = "{ " .. table.concat(items, ", ") .. " }"
  if #line <= 100 and not line:find "\n" and depth > 0 then return line end
  local indent = ("  "):rep(depth)
  return "{\n" .. indent .. "  " .. table.concat(items, ",\n" .. indent .. "  ") .. "\n" .. indent .. "}"
end

-- As the person sees it: at the top all that the API answers, in a list what a search does.
local function show_record(value, depth)
  local row = specs.row(value, depth > 0)
  if not row then return specs.name_of(value) end
  for name, each in pairs(row) do
    if each == null or name:sub(1, 1) == "_" then row[name] = nil end
  end
  return specs.name_of(value) .. " " .. show_table(row, depth)
end

function show(value, depth)
  if value == null then return "null" end
  if type(value) == "string" then return string.format("%q", value) end
  if specs.is_record(value) then return show_record(value, depth) end
  if type(value) == "table" and not specs.is_desk(value) then return show_table(value, depth) end
  return tostring(value)
end

function environment.print(...)
  local texts = {}
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    texts[i] = type(value) == "string" and value or show(value, 0)
  end
  host.print(table.concat(texts, "\t"))
end

-- Whether it went well, and its values or what went wrong as text.
local function run(piece)
  local function shown(...)
    local texts = {}
    for i = 1, select("#", ...) do texts[i] = show((select(i, ...)), 0) end
    return table.concat(texts, "\n")
  end
  local done, text = pcall(function() return shown(piece()) end)
  return done, tostring(text)
end

local function open(login)
  host.is_running = true
  environment.desk = specs.new_desk(login)
  local done, problem = pcall(function() return environment.desk.me end)
  if not done then error(tostring(problem) .. "; name another login with --as", 0) end
end

return { open = open, run = run, environment = environment }
