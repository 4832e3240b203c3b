-- expect(subject):word(...): each word answers whether it holds, what was expected and what is, for people. `never`
-- before a word expects the contrary. Gets the functions of the host, the parts before and `current`, the spec that runs.
local host = ...
local desk = host["spec_desk.lua"]
local current = {}

-- Values for people: texts in quotes, tables by their names in order.
local function show(value, depth)
  if value == null then return "null" end
  if desk.is_record(value) or desk.is_desk(value) or type(value) ~= "table" then
    return type(value) == "string" and string.format("%q", value) or tostring(value)
  end
  if (depth or 0) > 4 then return "{...}" end
  local parts, names = {}, {}
  for i, each in ipairs(value) do parts[i] = show(each, (depth or 0) + 1) end
  for name in pairs(value) do
    if type(name) ~= "number" then names[#names + 1] = tostring(name) end
  end
  table.sort(names)
  for _, name in ipairs(names) do parts[#parts + 1] = name .. " = " .. show(value[name], (depth or 0) + 1) end
  if #parts == 0 then return "{}" end
  return "{ " .. table.concat(parts, ", ") .. " }"
end

local function same(a, b)
  if a == null then a = nil end
  if b == null then b = nil end
  if type(a) == "userdata" and type(b) == "string" then b = desk.moment(b) end
  if type(b) == "userdata" and type(a) == "string" then a = desk.moment(a) end
  if desk.is_record(a) and type(b) == "number" then return a.Ref == b end
  if desk.is_record(b) and type(a) == "number" then return b.Ref == a end
  if type(a) ~= type(b) then return false end
  if type(a) == "userdata" then
    local comparable, equal = pcall(function() return a == b end)
    return comparable and equal
  end
  if a == b then return true end
  if type(a) ~= "table" or desk.is_record(a) or desk.is_record(b) then return false end
  for key, value in pairs(a) do
    if not same(value, b[key]) then return false end
  end
  for key in pairs(b) do
    if a[key] == nil and b[key] ~= null then return false end
  end
  return true
end

-- Whether `whole` has all that `part` names; lists have as many items.
local function includes(whole, part)
  if type(part) ~= "table" or desk.is_record(part) then return same(whole, part) end
  if type(whole) ~= "table" or #part > 0 and #whole ~= #part then return false end
  for key, value in pairs(part) do
    if not includes(whole[key], value) then return false end
  end
  return true
end

-- What `whole` has of the names in `part`.
local function excerpt(whole, part)
  if type(whole) ~= "table" or type(part) ~= "table" or desk.is_record(part) or #part > 0 then return whole end
  local found = {}
  for key, value in pairs(part) do
    local own = whole[key]
    if own == nil then own = null end
    found[key] = excerpt(own, value)
  end
  return found
end

local function among(list, item)
  for _, each in ipairs(list) do
    if same(each, item) then return true end
  end
  return false
end

local words = {}

function words.equals(subject, value) return same(subject, value), show(value), show(subject) end
function words.is_true(subject) return subject == true, "true", show(subject) end
function words.is_false(subject) return subject == false, "false", show(subject) end
function words.is_nil(subject) return subject == nil or subject == null, "nil", show(subject) end

function words.matches(subject, pattern)
  return type(subject) == "string" and subject:find(pattern) ~= nil, "a text like " .. show(pattern), show(subject)
end

function words.contains(subject, item)
  local holds
  if type(subject) == "string" then holds = subject:find(tostring(item), 1, true) ~= nil
  else holds = type(subject) == "table" and among(subject, item) end
  return holds, "something with " .. show(item), show(subject)
end

function words.has(subject, part)
  if part == nil or type(part) == "table" and not desk.is_record(part) and next(part) == nil then
    desk.break_off "has asks for nothing: write :has { State = 2 }"
  end
  return includes(subject, part), show(part), show(excerpt(subject, part))
end

-- The names that a word was given, nil for one that is not due now; without any it would always hold, or never.
local function names_of(word, example, ...)
  local names, remedy = {}, ": write :" .. word .. ' "' .. example .. '"'
  for i = 1, select("#", ...) do names[#names + 1] = select(i, ...) end
  if #names == 0 then desk.break_off(word .. " asks for nothing" .. remedy) end
  for _, name in ipairs(names) do
    if type(name) ~= "string" then desk.break_off(word .. " takes names, not " .. show(name) .. remedy) end
  end
  return names
end

local function offered(word, due, subject, ...)
  if not desk.is_record(subject) then desk.break_off("only records offer actions, not " .. show(subject)) end
  local names, list, holds = names_of(word, "close", ...), subject:offers(), true
  for _, name in ipairs(names) do
    desk.check_action(subject, name)
    if among(list, name) ~= due then holds = false end
  end
  return holds, tostring(subject) .. " " .. word .. " " .. table.concat(names, ", "), "it offers " .. table.concat(list, ", ")
end

function words.offers(...) return offered("offers", true, ...) end
function words.withholds(...) return offered("withholds", false, ...) end

-- refuses("close", { ... }, "Description"): the action, its body, and what the refusal says: a part of its message, its
-- sub-status, or its status. A script that breaks is no refusal. Of a desk: refuses("create", "call", { ... }, ...).
function words.refuses(subject, action, ...)
  local rest, done, answer = { ... }, nil, nil
  if desk.is_desk(subject) then
    if action ~= "create" then desk.break_off('of a desk, write expect(desk):refuses("create", "call", { ... })') end
    done, answer = desk.attempt_create(subject, table.remove(rest, 1), rest[1])
    if type(rest[1]) == "table" then table.remove(rest, 1) end
  elseif desk.is_record(subject) then
    local body = type(rest[1]) == "table" and table.remove(rest, 1) or {}
    desk.check_action(subject, action, body)
    done, answer = desk.attempt(subject, action, body)
  else desk.break_off("only records and desks refuse, not " .. show(subject)) end
  local reason = rest[1]
  local expected = tostring(subject) .. " refuses " .. action .. (reason and " with " .. show(reason) or "")
  if done then return false, expected, action .. " was done" end
  local text = desk.said(answer)
  if answer.status >= 500 and reason ~= answer.status then return nil, expected, text end
  local fits = reason == nil or reason == answer.status or reason == answer.kind
            or type(reason) == "string" and text:find(reason, 1, true) ~= nil
  return fits, expected, text
end

function words.raised(subject, ...)
  if not desk.is_record(subject) and not desk.is_desk(subject) then
    desk.break_off("only records and desks raise events, not " .. show(subject))
  end
  local names, holds = names_of("raised", "Closed", ...), true
  local raised = current.desk:events(desk.is_record(subject) and subject or nil)
  for _, name in ipairs(names) do
    if not among(raised, name) then
      desk.check_event(name)
      holds = false
    end
  end
  return holds, tostring(subject) .. " raised " .. table.concat(names, ", "), "it raised " .. table.concat(raised, ", ")
end

local walk_options = { "without", "as", "depth", "where" }

-- A text or a list of texts, as a list.
local function texts(option, value)
  local list = type(value) == "table" and value or { value }
  for _, each in ipairs(list) do
    if type(each) ~= "string" then desk.break_off("never_reaches: '" .. option .. "' takes names, not " .. show(each)) end
  end
  return list
end

-- never_reaches("Open", { without = "authorize", depth = 6 }): no sequence of actions of the record's session, or of
-- those that `as` names, leads it into that state.
function words.never_reaches(subject, state, options)
  if not desk.is_record(subject) or type(state) ~= "string" then
    desk.break_off 'write expect(record:as "user"):never_reaches("Open", { without = "authorize" })'
  end
  options = options or {}
  for name in pairs(options) do
    if not among(walk_options, name) then
      desk.break_off("never_reaches has no '" .. tostring(name) .. "'; it has " .. table.concat(walk_options, ", "))
    end
  end
  local without = texts("without", options.without)
  local path = desk.walk(subject, texts("as", options.as), {
    state = state, without = #without > 0 and without or nil, where = options.where, depth = options.depth or 6,
  })
  local left_out = #without > 0 and " without " .. table.concat(without, ", ") or ""
  return path == nil, tostring(subject) .. " never reaches " .. state .. left_out,
    path and "it does by " .. table.concat(path, ", then ") or "it does not"
end

function words.satisfies(subject, filter)
  local holds = desk.satisfies(subject, filter)
  return holds, tostring(subject) .. " satisfies " .. filter, holds and "it does" or "it does not"
end

function words.fails(subject, text)
  local passed, problem = pcall(subject)
  if passed then return false, "a failure" .. (text and " with " .. show(text) or ""), "nothing failed" end
  return not text or tostring(problem):find(text, 1, true) ~= nil, "a failure with " .. show(text), tostring(problem)
end

local function list_of(names)
  local list = {}
  for name in pairs(names) do list[#list + 1] = name end
  table.sort(list)
  return table.concat(list, ", ")
end

-- Keeps the first failure even where a spec catches it.
local function fail(expected, actual)
  local file, line = host.place()
  local message = "expected " .. tostring(expected) .. ", not " .. tostring(actual)
  local failure = setmetatable({ file = file, line = line, message = message, expected = expected, actual = actual }, desk.broken)
  current.failure = current.failure or failure
  error(failure, 0)
end

local function expect(subject)
  if not current.desk then desk.break_off("'expect' belongs into the function of an it") end
  local is_negated = false
  local expectation = {}
  return setmetatable(expectation, {
    __metatable = "expectation",
    __index = function(self, name)
      if name == "never" then
        is_negated = not is_negated
        return self
      end
      local word = words[name]
      if not word then
        desk.break_off("'expect' has no word '" .. tostring(name) .. "'; it has never, " .. list_of(words))
      end
      return function(it, ...)
        if it ~= expectation then desk.break_off("write expect(...):" .. name .. "(...), with a colon") end
        current.expectations = current.expectations + 1
        local holds, expected, actual = word(subject, ...)
        if holds == nil or holds == is_negated then fail((is_negated and "never: " or "") .. expected, actual) end
        return subject
      end
    end,
  })
end

return { expect = expect, current = current, fail = fail, includes = includes, excerpt = excerpt, among = among, show = show }
