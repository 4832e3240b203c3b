-- What the bytecode of a text tells; nothing of it is run. Returns two functions of the text, whose answers are nil where it is
-- no Lua.
local bit, jit = require "bit", require "jit.util"

local function operation(instruction) return bit.band(instruction, 0xff) end

local read = load "return a_global.member"
local get_global, get_member = operation((jit.funcbc(read, 1))), operation((jit.funcbc(read, 2)))

-- The member that the instruction behind a reading of a global reads of it; nil for any other instruction.
local function member_read(func, at, register)
  local instruction = jit.funcbc(func, at)
  if not instruction or operation(instruction) ~= get_member or bit.rshift(instruction, 24) ~= register then return nil end
  return jit.funck(func, -bit.band(bit.rshift(instruction, 16), 0xff) - 1)
end

local function each_inner(func, visit)
  local at = -1
  local constant = jit.funck(func, at)
  while constant ~= nil do
    if type(constant) == "proto" then visit(constant) end
    at = at - 1
    constant = jit.funck(func, at)
  end
end

local function collect(func, add)
  local at = 1
  local instruction = jit.funcbc(func, at)
  while instruction do
    if operation(instruction) == get_global then
      local word, line = jit.funck(func, -bit.rshift(instruction, 16) - 1), jit.funcinfo(func, at).currentline
      add(word, "", line)
      local member = member_read(func, at + 1, bit.band(bit.rshift(instruction, 8), 0xff))
      if member then add(word, member, line) end
    end
    at = at + 1
    instruction = jit.funcbc(func, at)
  end
  each_inner(func, function(inner) collect(inner, add) end)
end

local function is_before(a, b)
  for _, part in ipairs { 2, 1, 3 } do
    if a[part] ~= b[part] then return a[part] < b[part] end
  end
  return false
end

-- The globals that the functions read, with the members that they read of these (datetime.now): a list of
-- { word, line, member }, each where it stands first.
local function words_read(text)
  local chunk = load(text, "=text", "t")
  if not chunk then return nil end
  local found, words = {}, {}
  collect(chunk, function(word, member, line)
    local name = word .. "." .. member
    if not found[name] then
      found[name] = { word, line, member }
      words[#words + 1] = found[name]
    end
    found[name][2] = math.min(found[name][2], line)
  end)
  table.sort(words, is_before)
  return words
end

-- The last line of a function, where it says `end`, does nothing but return.
local function collect_lines(func, add)
  local info, at = jit.funcinfo(func), 1
  while jit.funcbc(func, at) do
    local line = jit.funcinfo(func, at).currentline
    if line ~= info.lastlinedefined or line == info.linedefined then add(line) end
    at = at + 1
  end
  each_inner(func, function(inner) collect_lines(inner, add) end)
end

-- The lines on which functions do something, in order. The definition around them is none of them.
local function lines_of_code(text)
  local chunk = load(text, "=text", "t")
  if not chunk then return nil end
  local found, lines = {}, {}
  each_inner(chunk, function(inner)
    collect_lines(inner, function(line)
      if not found[line] then lines[#lines + 1] = line end
      found[line] = true
    end)
  end)
  table.sort(lines)
  return lines
end

return words_read, lines_of_code
