std = "luajit"
max_line_length = 140
-- The words of the definition language (entities/README.md, scripts/README.md).
read_globals = {
  "entity", "add_to", "common", "list", "key", "text", "richtext", "integer", "long", "short", "float", "double", "decimal",
  "boolean", "datetime", "binary", "lookup", "condition", "token", "func", "extension", "session_list", "import",
  "always", "join", "one_of", "position", "parent", "states", "state", "action", "any_of", "hooks", "desk", "guid", "reject", "forbid", "earlier", "null", "record", "rows", "find_or_create",
  "json", "log", "field", "calendar", "index", "library", "sign_in", "scim", "resource", "lists", "unique", "claim",   -- the last three stand in folders lib
}
files["engine/script/lua"] = { globals = { "_G" }, ignore = { "1", "2" } }
-- And those of specs.
files["**/spec/*_spec.lua"] = { read_globals = { "describe", "it", "before_each", "expect", "scenario" } }
-- Definitions for editors, which `callisto stubs` writes.
exclude_files = { "scripts/callisto.d.lua", "engine/script/lua/library.d.lua" }
