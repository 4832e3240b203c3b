"""What wrk sends: requests as data, and the Lua that makes them."""
import collections
import json

import desk

# `path` gets one of `keys` keys of the desk, from `first` on, at random behind it; 0: the path as it is. `tail` comes
# behind the key. `weight`: how often this is asked, beside the others' weights. A body's "x" becomes another word each
# time, so that an update changes something.
Ask = collections.namedtuple("Ask", "path method keys body tail weight first", defaults=("GET", 0, None, "", 1, 1))

SCRIPT = """
math.randomseed({seed})
local headers = {{ Authorization = "Bearer {token}", ["Content-Type"] = "application/json" }}
local asks, total = {asks}, {total}
local only
request = function()
  if only then return only end
  local ask, lot = asks[1], total > 1 and math.random(total) or 1
  for i = 2, #asks do if lot > asks[i].after then ask = asks[i] end end
  local path, body = ask.path, ask.body
  if ask.keys > 0 then path = path .. (ask.first + {step} * math.random(0, ask.keys - 1)) .. ask.tail end
  if body then body = body:gsub('"x"', '"x' .. math.random(1, 1e9) .. '"') end
  local text = wrk.format(ask.method, path, headers, body)
  if #asks == 1 and ask.keys == 0 and body == ask.body then only = text end   -- always the same
  return text
end
"""

# So many requests a second in all, whenever they are answered. What a slow server owes for more than a tenth of a
# second is forgotten.
PACE = """
local ffi = require("ffi")
ffi.cdef[[ typedef struct {{ long s; long ns; }} moment_t; int clock_gettime(int, moment_t*); ]]
local moment, due = ffi.new("moment_t"), 0
delay = function()
  ffi.C.clock_gettime(1, moment)
  local now = tonumber(moment.s) * 1000 + tonumber(moment.ns) / 1e6
  due = math.max(due + {pause_ms}, now - 100)
  return math.max(0, math.floor(due - now))
end
"""

# GET with the ETag that the record has, of one record after the other.
TAGS = """
local requests, at = {{}}, 0
function init()
  for _, ask in ipairs({asks}) do
    local headers = {{ Authorization = "Bearer {token}", ["If-None-Match"] = ask[2] }}
    requests[#requests + 1] = wrk.format("GET", ask[1], headers)
  end
end
request = function()
  at = at % #requests + 1
  return requests[at]
end
"""


def lua(value):
    """Text, numbers, lists and dicts as Lua."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {lua(each)}" for key, each in value.items() if each is not None) + "}"
    if isinstance(value, (list, tuple)):
        return "{" + ", ".join(map(lua, value)) + "}"
    return json.dumps(value)   # of ASCII: an escape of JSON is one of Lua, but \\u


def script(asks, token, seed=1, pace=0):
    """Lua for load.wrk: one of the asks each time, as often as its weight says; `pace`: so many a second."""
    rows, total = [], 0
    for ask in asks:
        rows.append({"path": ask.path, "method": ask.method, "keys": ask.keys, "first": ask.first, "tail": ask.tail,
                     "body": json.dumps(ask.body) if ask.body else None, "after": total})
        total += ask.weight
    text = SCRIPT.format(seed=seed, token=token, asks=lua(rows), total=total, step=desk.KEY_STEP)
    return text + (PACE.format(pause_ms=1000 / pace) if pace else "")


def tags_script(tags, token):
    """`tags`: [(path, ETag)]."""
    return TAGS.format(asks=lua(tags), token=token)
