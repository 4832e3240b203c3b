-- The globals that the functions of a text read, found in its bytecode: nothing of it is run. Returns a function from the
-- text to a list of { word, line }, each word where it stands first; nil where the text is no Lua.
local bit, jit = require "bit", require "jit.util"

local function operation(instruction) return bit.band(instruction, 0xff) end

local get_global = operation((jit.funcbc(load "return a_global", 1)))

local function collect(func, add)
  local at = 1
  local instruction = jit.funcbc(func, at)
  while instruction do
    if operation(instruction) == get_global then
      add(jit.funck(func, -bit.rshift(instruction, 16) - 1), jit.funcinfo(func, at).currentline)
    end
    at = at + 1
    instruction = jit.funcbc(func, at)
  end
  at = -1
  local constant = jit.funck(func, at)
  while constant ~= nil do
    if type(constant) == "proto" then collect(constant, add) end
    at = at - 1
    constant = jit.funck(func, at)
  end
end

return function(text)
  local chunk = load(text, "=text", "t")
  if not chunk then return nil end
  local lines, words = {}, {}
  collect(chunk, function(word, line) lines[word] = math.min(lines[word] or line, line) end)
  for word, line in pairs(lines) do words[#words + 1] = { word, line } end
  table.sort(words, function(a, b) return a[2] < b[2] or a[2] == b[2] and a[1] < b[1] end)
  return words
end
