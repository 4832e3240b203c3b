-- describe, it, before_each, scenario, expect: the words of a file of specs, and the list of what it tells.
local host = ...
local desk, expecting = host["spec_desk.lua"], host["spec_expect.lua"]
local current = expecting.current

local default_login = "analyst"
local specs, group = {}, { before = {} }

local function check_word(word, name, body)
  if current.desk then desk.break_off("'" .. word .. "' stands in the file or in describe, not in an it") end
  if type(name) ~= "string" or name == "" or type(body) ~= "function" then
    desk.break_off(word .. ' takes a sentence and a function: ' .. word .. '("...", function(desk) ... end)')
  end
end

local function describe(name, body)
  check_word("describe", name, body)
  local outer = group
  group = { outer = outer, before = {}, name = outer.name and outer.name .. " > " .. name or name }
  body()
  group = outer
end

local function add(name, body, file, line)
  local sentence = group.name and group.name .. " > " .. name or name
  specs[#specs + 1] = { sentence = sentence, body = body, group = group, file = file, line = line }
end

local function it(name, body)
  check_word("it", name, body)
  add(name, body, host.place())
end

local function before_each(body)
  check_word("before_each", "before", body)
  group.before[#group.before + 1] = body
end

local function scenario(options)
  if type(options) ~= "table" or type(options[1]) ~= "string" then
    desk.break_off('a scenario begins with its sentence: scenario { "...", request = ... }')
  end
  local body = host["spec_scenario.lua"].body_of(options)
  check_word("scenario", options[1], body)
  add(options[1], body, host.place())
end

local function prepare(of, the_desk)
  if of.outer then prepare(of.outer, the_desk) end
  for _, body in ipairs(of.before) do body(the_desk) end
end

-- What failed, or nil. Without a place of its own, a failure is where its spec begins.
local function told(spec, passed, problem)
  local failure = current.failure
  if not failure and not passed then
    local text = type(problem) == "string" and problem or "an error that is no text, but a " .. type(problem)
    failure = getmetatable(problem) == desk.broken and problem or { message = text }
  end
  if not failure and current.expectations == 0 then failure = { message = "it expects nothing: say what must hold" } end
  if not failure then return nil end
  local file, line = failure.file, failure.line
  local name, number, text = host.split(failure.message)
  return {
    file = file or spec.file, line = line or name == spec.file and number or spec.line,
    message = failure.expected and "" or not file and text or failure.message,
    expected = failure.expected, actual = failure.actual,
  }
end

local function run(number)
  local spec = specs[number]
  host.is_running = true
  current.desk, current.failure, current.expectations = desk.new_desk(default_login), nil, 0
  local passed, problem = pcall(function()
    prepare(spec.group, current.desk)
    spec.body(current.desk)
  end)
  local failure = told(spec, passed, problem)
  current.desk, host.is_running = nil, false
  return failure
end

return {
  words = { describe = describe, it = it, before_each = before_each, scenario = scenario, expect = expecting.expect },
  specs = specs, run = run,
}
