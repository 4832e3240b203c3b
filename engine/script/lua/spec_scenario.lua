-- scenario { "sentence", as = "user", given = { ... }, request = "PUT call/{call}/close", status = 200, ... }: one
-- request of the API as a table. Answers the function of a spec. "{name}" stands for the key of what was given by that
-- name, or of the person with that login.
local host = ...
local desk, expecting = host["spec_desk.lua"], host["spec_expect.lua"]

local known = { "as", "given", "request", "headers", "body", "status", "expect", "absent", "events" }

local function check(scenario)
  for key in pairs(scenario) do
    if key ~= 1 and not expecting.among(known, key) then
      desk.break_off("a scenario has no '" .. tostring(key) .. "'; it has " .. table.concat(known, ", "))
    end
  end
  if type(scenario.request) ~= "string" or not scenario.status then
    desk.break_off('a scenario needs request = "GET call" and status = 200')
  end
end

-- Makes what is given when it is first asked for, since one may refer to another.
local function keys_of(the_desk, given)
  local keys, under_way = {}, {}
  local fill

  local function key_of(name)
    if keys[name] then return keys[name] end
    if not given[name] then
      keys[name] = the_desk:as(name).me.Ref
      return keys[name]
    end
    if under_way[name] then desk.break_off("what is given as '" .. name .. "' refers to itself") end
    under_way[name] = true
    local values = {}
    for key, value in pairs(given[name]) do
      if key ~= 1 then values[key] = fill(value) end
    end
    keys[name] = the_desk[given[name][1] or name](the_desk, values).Ref
    return keys[name]
  end

  function fill(value)
    if type(value) == "table" then
      local copy = {}
      for key, each in pairs(value) do copy[key] = fill(each) end
      return copy
    end
    if type(value) ~= "string" then return value end
    local whole = value:match "^{([%w_]+)}$"
    if whole then return key_of(whole) end
    return (value:gsub("{([%w_]+)}", function(name) return tostring(key_of(name)) end))
  end

  local names = {}
  for name in pairs(given) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do key_of(name) end
  return fill
end

local function at_path(body, path)
  for name in path:gmatch "[^.]+" do
    if type(body) ~= "table" then return nil end
    body = body[name]
  end
  return body
end

local function check_events(the_desk, wanted)
  local raised = the_desk:events()
  local shown = "raised: " .. table.concat(raised, ", ")
  for _, name in ipairs(wanted) do
    if not expecting.among(raised, name) then expecting.fail("the event " .. name, shown) end
  end
  if #wanted == 0 and #raised > 0 then expecting.fail("no event", shown) end
end

local function check_answer(scenario, answer, fill)
  local message = type(answer.body) == "table" and answer.body.Message
  if answer.status ~= scenario.status then
    expecting.fail("status " .. scenario.status, "status " .. answer.status .. (message and ": " .. message or ""))
  end
  if scenario.expect then
    local part = fill(scenario.expect)
    if not expecting.includes(answer.body, part) then
      expecting.fail(expecting.show(part), expecting.show(expecting.excerpt(answer.body, part)))
    end
  end
  for _, path in ipairs(scenario.absent or {}) do
    local found = at_path(answer.body, path)
    if found ~= nil then expecting.fail("no " .. path .. " in the answer", path .. " = " .. expecting.show(found)) end
  end
end

local function body_of(scenario)
  check(scenario)
  return function(the_desk)
    expecting.current.expectations = expecting.current.expectations + 1
    local fill = keys_of(the_desk, scenario.given or {})
    local who = the_desk
    if scenario.as == "anonymous" then who = the_desk:anonymous() elseif scenario.as then who = the_desk:as(scenario.as) end
    local answer = who:send(fill(scenario.request), scenario.body and fill(scenario.body), scenario.headers)
    check_answer(scenario, answer, fill)
    if scenario.events then check_events(the_desk, scenario.events) end
  end
end

return { body_of = body_of }
