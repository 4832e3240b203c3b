-- What specs see of a desk: desk:call { State = 2 }, call.State, call:close { ... }, desk:as "user", desk:advance "2d".
-- Gets the functions of the host, each of which answers true and a value, or false and why not.
local host = ...

local facts = setmetatable({}, { __mode = "k" })    -- of records and desks, out of the specs' reach
local Record, Desk = { methods = {} }, { methods = {} }

-- Why the host refused, as a text.
local function said(problem)
  if problem.status >= 500 then return problem.type .. ": " .. problem.message .. " " .. problem.detail end
  local kind = problem.kind == "None" and "" or " " .. problem.kind
  local text = problem.status .. kind .. ": " .. problem.message
  for _, each in ipairs(problem.problems) do
    if not text:find(each, 1, true) then text = text .. "; " .. each end
  end
  return text
end

-- Ends the spec unless somebody catches it.
local Broken = { __tostring = function(self) return self.message end }
local function break_off(message, reason)
  local file, line = host.place()
  if reason then message = message .. ": " .. reason end
  local failure = setmetatable({ file = file, line = line, message = message }, Broken)
  if not host.is_running then error(tostring(file) .. ":" .. tostring(line) .. ": " .. tostring(failure), 0) end
  error(failure, 0)
end

local function ask(what, native, ...)
  local done, answer = native(...)
  if not done then break_off(what, said(answer)) end
  return answer
end

local function is_record(value) return type(value) == "table" and getmetatable(value) == "record" end
local function is_desk(value) return type(value) == "table" and getmetatable(value) == "desk" end

-- Records stand for their keys in what goes to the host.
local function plain(value)
  if is_record(value) then return facts[value].key end
  if type(value) ~= "table" then return value end
  local copy = {}
  for key, each in pairs(value) do copy[key] = plain(each) end
  return copy
end

local function record(session, entity, key)
  local self = setmetatable({}, Record)
  facts[self] = { session = session, entity = entity, key = key }
  return self
end

local function answered(session, answer)
  if answer == nil then return nil end
  return record(session, answer.entity, answer.key)
end

local function session_of(desk)
  local own = facts[desk]
  if not own.session then own.session = ask("signing in as " .. own.login, host.as, own.login, own.type) end
  return own.session
end

local function new_desk(login, session_type)
  local self = setmetatable({}, Desk)
  facts[self] = { login = login, type = session_type }
  return self
end

local function encoded(text)
  return (tostring(text):gsub("[^%w%-%._~/]", function(byte) return string.format("%%%02X", byte:byte()) end))
end

local function request(session, method, target, query, body, headers)
  local separator = target:find("?", 1, true) and "&" or "?"
  for name, value in pairs(query or {}) do
    target, separator = target .. separator .. encoded(name) .. "=" .. encoded(value), "&"
  end
  target = target:gsub(" ", "%%20")
  return ask(method .. " " .. target, host.request, session, method, target, body and plain(body) or null, headers or {})
end

-- Of a request that failed in a script, what it failed of.
local function refusal(answer)
  local failure = answer.failure ~= null and answer.failure or nil
  return answer.status .. ": " .. (failure or tostring(answer.body.Message))
end

local function rows(what, answer)
  if answer.status ~= 200 then break_off(what, refusal(answer)) end
  return answer.body.results
end

-- Records ----------------------------------------------------------------------------------------------------------

local function name_of(self) return facts[self].entity .. " " .. facts[self].key end

-- true and the record that the action answers, or false and why not
local function attempt(self, action, body)
  local own = facts[self]
  local done, answer = host.act(own.session, own.entity, own.key, action, plain(body or {}))
  if not done then return false, answer end
  if answer.key == own.key then return true, self end
  return true, answered(own.session, answer)
end

-- Breaks the spec off where the record has no such action, or that takes nothing of these names.
local function check_action(self, action, body)
  local own = facts[self]
  ask("asking for " .. action, host.check_action, own.entity, own.key, action, plain(body or {}))
end

-- Breaks the spec off where nothing in the scripts raises it.
local function check_event(name) ask("asking for " .. name, host.check_event, name) end

function Record.methods.act(self, action, body)
  local done, answer = attempt(self, action, body)
  if not done then break_off(action .. " of " .. name_of(self) .. " was refused", said(answer)) end
  return answer
end

function Record.methods.as(self, who, session_type)
  local own = facts[self]
  local desk = is_desk(who) and who or new_desk(who, session_type)
  return record(session_of(desk), own.entity, own.key)
end

function Record.methods.offers(self)
  local own = facts[self]
  return ask("what " .. name_of(self) .. " offers", host.offered, own.session, own.entity, own.key)
end

-- A list of rows; what is null in one is nil.
function Record.methods.history(self)
  local own = facts[self]
  local target = own.entity .. "/" .. own.key .. "/history"
  local list = rows("the history of " .. name_of(self), request(own.session, "GET", target, { ["$select"] = "*" }))
  for _, row in ipairs(list) do
    for name, value in pairs(row) do
      if value == null then row[name] = nil end
    end
  end
  return list
end

local function computed(self, word)
  local own = facts[self]
  local answer = request(own.session, "GET", own.entity .. "/" .. own.key, { ["$select"] = word })
  if answer.status ~= 200 then break_off(word .. " of " .. name_of(self), refusal(answer)) end
  local value = answer.body[word]
  if value == nil then value = answer.body[word:sub(2)] end
  if value == null then return nil end
  return value
end

function Record.__index(self, key)
  if Record.methods[key] then return Record.methods[key] end
  key = tostring(key)
  if key:find "^%l" then
    return function(it, body) return it:act((key:gsub("_", "-")), body) end
  end
  if key:sub(1, 1) == "@" then return computed(self, key) end
  return ask(key .. " of " .. name_of(self), host.get, facts[self].entity, facts[self].key, key)
end

function Record.__newindex(_, key)
  break_off("a spec changes records by their actions: record:update { " .. tostring(key) .. " = ... }")
end

function Record.__eq(a, b)
  return facts[a].key == facts[b].key and facts[a].entity == facts[b].entity
end

Record.__tostring = name_of
Record.__metatable = "record"

-- The desk ---------------------------------------------------------------------------------------------------------

-- Signs in at once: a login that nobody has is told in the line that names it.
function Desk.methods.as(_, login, session_type)
  local desk = new_desk(login, session_type)
  session_of(desk)
  return desk
end

function Desk.methods.anonymous()
  local self = new_desk("nobody")
  facts[self].session = ask("a session without a person", host.anonymous)
  return self
end

local function attempt_create(self, entity, body)
  local session = session_of(self)
  local done, answer = host.create(session, entity, plain(body or {}))
  if not done then return false, answer end
  return true, answered(session, answer)
end

function Desk.methods.create(self, entity, body)
  local done, answer = attempt_create(self, entity, body)
  if not done then break_off("creating a " .. entity .. " was refused", said(answer)) end
  return answer
end

-- What the engine is asked for: a filter, a value for each '?' of it, and options; or { Property = value or list }, as rules
-- may have it.
local function query_of(entity, filter, ...)
  local what, count = "searching " .. tostring(entity), select("#", ...)
  if type(filter) == "table" then
    local names, terms, values = {}, {}, {}
    for name in pairs(filter) do names[#names + 1] = tostring(name) end
    table.sort(names)
    for i, name in ipairs(names) do
      local value = filter[name]
      local is_list = type(value) == "table" and not is_record(value)
      terms[i] = name .. (is_list and " in (?)" or " == ?")
      values[i] = is_list and { list = plain(value) } or { value = plain(value) }
    end
    return { filter = table.concat(terms, " && "), values = values }
  end
  local query = { filter = filter or "", values = {} }
  local wanted = filter and ask(what, host.placeholders, filter) or 0
  local last = count > 0 and (select(count, ...)) or nil
  local options = count == wanted + 1 and type(last) == "table" and not is_record(last) and last or nil
  if count - (options and 1 or 0) ~= wanted then
    break_off(what, "the filter has " .. wanted .. " '?', and " .. count - (options and 1 or 0) .. " values are given")
  end
  for i = 1, wanted do
    local value = (select(i, ...))
    local is_list = type(value) == "table" and not is_record(value)
    query.values[i] = is_list and { list = plain(value) } or { value = plain(value) }
  end
  for name, value in pairs(options or {}) do
    if name ~= "orderby" and name ~= "top" then
      break_off(what, "a search has no option '" .. tostring(name) .. "'; it has orderby and top")
    end
    query[name] = value
  end
  return query
end

-- A record; of an entity whose key has several parts, which has no url of its own, its row.
local function by_key(session, entity, names, key)
  if #names == 1 then return record(session, entity, key[1]) end
  local terms = {}
  for i, name in ipairs(names) do terms[i] = name .. " == " .. string.format("%d", key[i]) end
  local query = { ["$filter"] = table.concat(terms, " && "), ["$select"] = "*" }
  local row = rows("reading " .. entity, request(session, "GET", entity, query))[1]
  for name, value in pairs(row or {}) do
    if value == null then row[name] = nil end
  end
  return row
end

function Desk.methods.find(self, entity, key, ...)
  local session = session_of(self)
  if select("#", ...) > 0 then
    local names = ask("finding " .. entity, host.key_parts, entity)
    return by_key(session, entity, names, { key, ... })
  end
  return answered(session, ask("finding " .. entity .. " " .. tostring(key), host.find, session, entity, plain(key)))
end

local function search(self, entity, query)
  local what, session, found = "searching " .. tostring(entity), session_of(self), {}
  local names = ask(what, host.key_parts, entity)
  for i, key in ipairs(ask(what, host.search, session, entity, query)) do found[i] = by_key(session, entity, names, key) end
  return found
end

function Desk.methods.search(self, entity, ...) return search(self, entity, query_of(entity, ...)) end

function Desk.methods.first(self, entity, ...)
  local query = query_of(entity, ...)
  query.top = 1
  return search(self, entity, query)[1]
end

function Desk.methods.count(self, entity, ...)
  return ask("counting " .. tostring(entity), host.count, session_of(self), entity, query_of(entity, ...))
end

-- Whom a provider tells of by these claims, as the server's sign-in takes them: the person.
function Desk.methods.sign_in(self, claims)
  return answered(session_of(self), ask("the sign-in", host.sign_in, plain(claims or {})))
end

-- Names of the events since the spec began; of one record, if one is given.
function Desk.methods.events(_, of)
  local names = {}
  for _, event in ipairs(ask("the events", host.events)) do
    if not of or event.key == facts[of].key and event.entity == facts[of].entity then names[#names + 1] = event.name end
  end
  return names
end

local unit = { d = { 1, 0, 0 }, h = { 0, 1, 0 }, m = { 0, 0, 1 } }

-- A moment from a text; without a zone UTC is meant.
local function moment(text)
  if type(text) ~= "string" then return text end
  local has_zone = text:find "[Zz]$" or text:find "[+-]%d%d:?%d%d$" and text:find ":"
  if not has_zone then text = text:gsub(" ", "T") .. (text:find ":" and "Z" or "T00:00Z") end
  return datetime.parse(text)
end

function Desk.methods.now() return ask("the time", host.now) end

function Desk.methods.at(self, text)
  local value = moment(text)
  if not value then break_off("'" .. tostring(text) .. '\' is no moment: desk:at "2026-03-15 09:00"') end
  ask("setting the clock", host.set_clock, value)
  return self
end

function Desk.methods.advance(self, text)
  local now, rest = self:now(), tostring(text):gsub("(%d+)%s*([dhm])%s*", "%1%2 ")
  for count, name in rest:gmatch "(%d+)([dhm]) " do
    now = datetime.add(now, count * unit[name][1], count * unit[name][2], count * unit[name][3])
  end
  if rest:gsub("%d+[dhm] ", "") ~= "" or rest == "" then
    break_off("'" .. tostring(text) .. '\' is no span of time: desk:advance "2d 4h 30m"')
  end
  return self:at(now)
end

function Desk.methods.run_due() return ask("doing what is due", host.run_due) end

-- desk:send("PUT call/5/close", { Description = "done" }) -> { status, headers, body }
function Desk.methods.send(self, line, body, headers)
  local method, target = tostring(line):match "^(%u+) (.+)$"
  if not method then break_off("'" .. tostring(line) .. '\' is no request: desk:send("GET call/5")') end
  return request(session_of(self), method, target, nil, body, headers)
end

function Desk.methods.get(self, target, query) return request(session_of(self), "GET", target, query) end
function Desk.methods.post(self, target, body) return request(session_of(self), "POST", target, nil, body) end
function Desk.methods.put(self, target, body) return request(session_of(self), "PUT", target, nil, body) end
function Desk.methods.delete(self, target) return request(session_of(self), "DELETE", target) end

-- What rules have as well, and call with a dot.
local shared = { search = true, first = true, count = true, find = true, create = true }

-- desk:service_request { ... }: a record as it is given, whatever the rules say.
function Desk.__index(self, key)
  if shared[key] then
    return function(first, ...)
      if is_desk(first) then return Desk.methods[key](first, ...) end
      return Desk.methods[key](self, first, ...)
    end
  end
  if Desk.methods[key] then return Desk.methods[key] end
  if key == "me" then
    local session = session_of(self)
    return record(session, "person", ask("who this is", host.person, session))
  end
  local entity = tostring(key):gsub("_", "-")
  return function(desk, values)
    if not is_desk(desk) then break_off("write desk:" .. tostring(key) .. " { ... }, with a colon") end
    local session = session_of(desk)
    return answered(session, ask(entity .. " as given", host.insert, session, entity, plain(values or {})))
  end
end

function Desk.__newindex(_, key) break_off("a desk has no '" .. tostring(key) .. "' to be set") end
function Desk.__tostring(self) return "the desk as " .. facts[self].login end
Desk.__metatable = "desk"

-- A record as the API answers it, or in short; nil where this account does not see it.
local function row(self, in_short)
  local own = facts[self]
  local answer = request(own.session, "GET", own.entity .. "/" .. own.key)
  if in_short then
    answer = request(own.session, "GET", own.entity, { ["$filter"] = "Ref == " .. own.key })
    if answer.status == 200 then return answer.body.results[1] end
  end
  return answer.status == 200 and answer.body or nil
end

return {
  row = row, new_desk = new_desk, is_record = is_record, is_desk = is_desk, name_of = name_of, said = said, moment = moment,
  check_action = check_action, check_event = check_event, attempt = attempt, attempt_create = attempt_create,
  break_off = break_off, broken = Broken,
  -- The actions that lead the record there, nil where none do; `logins` walk beside each other, or who looks at it.
  walk = function(self, logins, options)
    local own, sessions = facts[self], {}
    for i, login in ipairs(logins) do sessions[i] = session_of(new_desk(login)) end
    if #sessions == 0 then sessions[1] = own.session end
    return ask("walking from " .. name_of(self), host.walk, sessions, own.entity, own.key, options)
  end,
  satisfies = function(self, filter)
    local own = facts[self]
    local query = { ["$filter"] = "(" .. filter .. ") && Ref == " .. own.key, ["$select"] = "Ref" }
    return #rows("asking whether " .. filter, request(own.session, "GET", own.entity, query)) > 0
  end,
}
