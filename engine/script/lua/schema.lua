-- The schema of the words of entities/ and scripts/: what each of them may hold. Data for dsl.lua, which checks by it.
-- Returns: schemas, by noun; kinds of values, which their options name; additions, by what is added to.
local property_options = {
  description = "text", display = "text", display_types = "texts", class = { "Computed" }, choices = "one_or_more",
  length = "whole", scale = "whole", stored = "pair", default = "plain", entity = "text", mirror = "text",
  uppercase = "flag", required = "flag", readonly = "flag", internal = "flag", indexed = "flag", searchable = "flag",
  no_search = "flag", sealed = "flag", list = "flag", formerly = "one_or_more", read = "grants", write = "grants",
}
local property_nouns = {
  "key", "text", "richtext", "integer", "long", "short", "float", "double", "decimal", "boolean", "datetime", "binary", "lookup",
}
local data_types = {
  "Binary", "Boolean", "DateTime", "Integer", "Long", "Float", "Double", "Decimal", "Short", "Text", "RichText", "Lookup",
}

-- Parameters of an action: a word of the request, not a column.
local parameter_options = {
  description = "text", display = "text", display_types = "texts", length = "whole", scale = "whole", default = "plain",
  choices = "one_or_more", entity = "text", uppercase = "flag", secret = { "new", "current", "sealed" },
}
local keyless_nouns = {}
for i = 2, #property_nouns do keyless_nouns[i - 1] = property_nouns[i] end   -- no key
local mandatory_nouns = { "any_of", unpack(keyless_nouns) }

-- What an option may hold: the name of a kind below, a list of the texts to choose from, or { nouns = ... } for a list of
-- definitions, or a text in its place with `or_text`; with `texts`, plain texts may stand among them, and
-- with `options` and `needs` they have these instead of their own.
-- `needs` names the options that must be there. A noun with `items` holds such a list in place of options; one with `any`
-- holds whatever is of that kind, by names of its own; one with `words` holds texts beside its options, known by that name.
local schemas = {
  entity = {
    options = {
      extends = "text", description = "text", display = "text", formerly = "one_or_more", status = { "Alpha", "Beta", "GA" },
      right = { "Administration", "Integration" }, writers = { "Administration", "Integration" },
      abstract = "flag", top_level = "flag", partitioned = "flag",
      history = "flag", attachments = "flag", deletable = "flag", core_type = "text",
      label = "text", summary = "texts", query_aliases = "names", properties = { nouns = property_nouns },
      sub_resources = { nouns = { "list" } },
      indexes = { nouns = { "index" } },
    },
    needs = {},
  },
  add_to = {
    options = { properties = { nouns = keyless_nouns }, indexes = { nouns = { "index" } }, fields = { nouns = { "field" } } },
    needs = {},
  },
  field = { options = { read = "grants", write = "grants" }, needs = {} },
  common = { options = { properties = { nouns = property_nouns }, indexes = { nouns = { "index" } } }, needs = { "properties" } },
  index = { options = { where = "text", covers = "texts" }, words = "properties", needs = {} },
  list = { options = { entity = "text", link = "text", type_link = "text" }, needs = { "entity", "link" } },
  condition = { options = { description = "text", filter = "text" }, needs = { "filter" } },
  token = { options = { description = "text", returns = data_types, value = "code" }, needs = { "returns", "value" } },
  func = {
    options = {
      description = "text", returns = data_types, parameters = { nouns = property_nouns }, constant = "flag", value = "code",
    },
    needs = { "returns", "value" },
  },
  extension = {
    options = { description = "text", returns = data_types, needs = "texts", value = "code", values = "code" },
    needs = { "returns" },
  },
  states = { items = { nouns = { "state" } } },
  state = {
    options = {
      description = "text", value = "whole", group = "one_or_more", initial = "flag", final = "flag", imported = "flag",
      formerly = "one_or_more",
    },
    needs = { "value" },
  },
  action = {
    options = {
      title = "text", description = "text", from = "one_or_more", offered = "text", due = "text", allowed = "grants", moves_to = "text",
      may_move_to = "one_or_more", raises = "one_or_more", history = "flag", supported = "flag", deleted = "flag", run = "code",
      answers = { nouns = keyless_nouns, or_text = true, options = parameter_options },
      mandatory = { nouns = mandatory_nouns, texts = true, options = parameter_options },
      optional = { nouns = keyless_nouns, texts = true, options = parameter_options },
    },
    needs = {},
  },
  any_of = { items = { nouns = keyless_nouns, texts = true, options = parameter_options } },
  hooks = {
    options = {
      before_create = "code", before_update = "code", before_delete = "code", after_create = "code", after_update = "code",
      after_delete = "code", before_restore = "code", after_restore = "code", history = "code", replaces = "flag",
    },
    needs = {},
  },
  library = { any = "member", needs = {} },
  calendar = { options = { description = "text", zone = "text", hours = "names", holidays = "texts" }, needs = { "zone", "hours" } },
  sign_in = { options = { description = "text", claims = "texts", gives = "texts", run = "code" }, needs = { "run" } },
  scim = { items = { nouns = { "resource" } } },
  resource = {
    options = {
      entity = "text", attributes = "names", otherwise = "names", members = "text", group = "text", member = "text",
    },
    needs = { "entity", "attributes" },
  },
  session_list = { options = { entity = "text", where = "text", select = "text" }, needs = { "entity", "where", "select" } },
}

-- What add_to holds in a file beside that of an action, of states, of an augmenter. `instead`: what a word of the thing itself
-- is called here.
local additions = {
  action = {
    options = {
      needs = "texts", optional = schemas.action.options.optional, offered = "text", allowed = "grants",
      raises = "one_or_more", may_move_to = "one_or_more", before = "code", after = "code",
    },
    instead = {
      mandatory = "write needs = { ... }: what the record must have in the end, given now or before",
      run = "write 'before' or 'after', which run around the action's own code",
      from = 'write offered = \'@InState("...")\', which must hold beside the action\'s own \'from\'',
      moves_to = "write may_move_to, and set the state in 'after'",
    },
  },
  states = { items = { nouns = { "state" }, needs = {} } },
  augmenter = {
    options = { also = "text", only = "text", needs = "texts", after = "code" },
    instead = {
      filter = "write 'also' for a filter that makes it hold as well, or 'only' for one that must hold too",
      value = "write 'after', which gets the value before the arguments and returns another",
      values = "write 'after', which gets a value, its record and the session, and returns another value",
    },
  },
}

for _, noun in ipairs(property_nouns) do schemas[noun] = { options = property_options, needs = {} } end

local function list_of_texts(value)
  for key, each in pairs(value) do
    if type(key) ~= "number" or type(each) ~= "string" then return false end
  end
  return true
end

-- Functions may stand at the top alone: what holds one elsewhere would be no plain data.
local function is_data(value, depth)
  local kind = type(value)
  if kind == "string" or kind == "number" or kind == "boolean" then return true end
  if kind ~= "table" or getmetatable(value) ~= nil or depth > 16 then return false end
  for key, each in pairs(value) do
    if type(key) ~= "string" and type(key) ~= "number" or not is_data(each, depth + 1) then return false end
  end
  return true
end

local kinds = {
  member = { says = "a function, a text, a number, true, false, or a table of these",
            holds = function(value) return type(value) == "function" or is_data(value, 1) end },
  text  = { says = "a text in quotes", holds = function(value) return type(value) == "string" end },
  flag  = { says = "true or false", holds = function(value) return type(value) == "boolean" end },
  code  = { says = "a function", holds = function(value) return type(value) == "function" end },
  whole = { says = "a whole number from 0 on",
            holds = function(value) return type(value) == "number" and value >= 0 and value % 1 == 0 and value < 2 ^ 31 end },
  plain = { says = "a text, a number, true or false",
            holds = function(value) return type(value) == "string" or type(value) == "number" or type(value) == "boolean" end },
  texts = { says = 'a list of texts: { "One", "Two" }',
            holds = function(value) return type(value) == "table" and list_of_texts(value) end },
  one_or_more = { says = 'a text or a list of texts: "One" or { "One", "Two" }',
            holds = function(value)
              return type(value) == "string" or type(value) == "table" and next(value) ~= nil and list_of_texts(value)
            end },
  grants = { says = 'who may, by the type of the session: { Analyst = true, User = "User == @UserId" }',
            holds = function(value)
              if type(value) ~= "table" then return false end
              for key, each in pairs(value) do
                if type(key) ~= "string" or type(each) ~= "string" and type(each) ~= "boolean" then return false end
              end
              return true
            end },
  pair  = { says = 'two texts, for true and for false: { "Y", "N" }',
            holds = function(value) return type(value) == "table" and list_of_texts(value) and #value == 2 end },
  names = { says = 'names for names: { Alias = "Property" }',
            holds = function(value)
              if type(value) ~= "table" then return false end
              for key, each in pairs(value) do
                if type(key) ~= "string" or type(each) ~= "string" then return false end
              end
              return true
            end },
}

return { schemas = schemas, kinds = kinds, additions = additions }
