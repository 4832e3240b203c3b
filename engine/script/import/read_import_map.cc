#include "engine/script/import/read_import_map.h"

#include "engine/base/text.h"
#include "engine/script/library/dsl.h"
#include "engine/script/views/values.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include <lua.hpp>

namespace callisto::script {
namespace {

using Kind = MapValue::Kind;

class MapReader {
 public:
  MapReader(lua_State* lua, const Source& source, catalog::Problems& problems)
      : lua_(lua), source_(source), problems_(problems) {}

  MapDefinition read() {
    read_options();
    read_blocks();
    for_each("lookups", [&] { map_.lookups.push_back(read_block()); });
    return std::move(map_);
  }

 private:
  // Runs `body` with the field on top of the stack.
  template <typename Body>
  void with(const char* field, const Body& body) {
    lua_getfield(lua_, -1, field);
    body();
    lua_pop(lua_, 1);
  }

  template <typename Body>
  void for_each(const char* field, const Body& body) {
    with(field, [&] {
      for (int i = 1; i <= static_cast<int>(lua_objlen(lua_, -1)); ++i) {
        lua_rawgeti(lua_, -1, i);
        body();
        lua_pop(lua_, 1);
      }
    });
  }

  std::string top_text() {
    std::size_t size = 0;
    const char* text = lua_type(lua_, -1) == LUA_TSTRING ? lua_tolstring(lua_, -1, &size) : "";
    return {text, size};
  }

  std::string text(const char* field) {
    std::string result;
    with(field, [&] { result = top_text(); });
    return result;
  }

  int number(const char* field) {
    int result = 0;
    with(field, [&] { result = static_cast<int>(lua_tointeger(lua_, -1)); });
    return result;
  }

  bool flag(const char* field) {
    bool result = false;
    with(field, [&] { result = lua_toboolean(lua_, -1) != 0; });
    return result;
  }

  catalog::Origin place_of(const std::string& option, int from) const {
    return {source_.file, find_line(source_.text, option, from, true)};
  }

  void read_options() {
    const std::map<std::string_view, MapOption*> known = {{"format", &map_.format}, {"separator", &map_.separator},
                                                          {"dates", &map_.dates},   {"zone", &map_.zone},
                                                          {"null", &map_.null},     {"group_by", &map_.group_by}};
    with("options", [&] {
      for (lua_pushnil(lua_); lua_next(lua_, -2); lua_pop(lua_, 1)) {
        lua_pushvalue(lua_, -2);
        const std::string name = top_text();
        lua_pop(lua_, 1);
        const auto option = known.find(name);
        const catalog::Origin origin = place_of(name, 1);
        if (option == known.end())
          problems_.unknown(origin, "option", name, "import",
                            {"format", "separator", "dates", "zone", "null", "group_by"});
        else if (lua_type(lua_, -1) != LUA_TSTRING)
          problems_.add(origin, "'" + name + "' of import must be a text in quotes");
        else *option->second = {top_text(), origin};
      }
    });
  }

  void read_blocks() {
    int records = 0;
    for_each("blocks", [&] {
      const bool is_record = text("word") == "record";
      MapBlock block = read_block();
      if (!is_record) return map_.rows.push_back(std::move(block));
      if (++records == 1) map_.record = std::move(block);
      else problems_.add(block.origin, "a map has exactly one record");
    });
    if (records == 0) problems_.add({source_.file, 0}, "the map has no record: import { record \"name\" { ... } }");
  }

  MapBlock read_block() {
    MapBlock block{text("entity"), {}, {}, {source_.file, number("line")}};
    const std::string word = text("word");
    const std::string what = word + " " + text::quoted(block.entity);
    if (!flag("has_fields"))
      problems_.add(block.origin,
                    what + " has no properties: " + word + " \"" + block.entity + "\" { Name = value, ... }");
    if (flag("has_list")) problems_.add(block.origin, what + " holds a value without a property: write Name = value");
    for_each("fields", [&] { read_field(block, what); });
    if (word == "find_or_create") read_by(block, what);
    return block;
  }

  void read_field(MapBlock& block, const std::string& what) {
    MapField field{text("name"), {}, {}};
    field.origin = place_of(field.property, block.origin.line);
    if (field.property.empty() || std::isupper(static_cast<unsigned char>(field.property[0])) == 0)
      return problems_.add(field.origin, "unknown option " + text::quoted(field.property) + " of " + what);
    with("value", [&] { read_value(field, what); });
    block.fields.push_back(std::move(field));
  }

  void read_by(MapBlock& block, const std::string& what) {
    for_each("by", [&] { block.by.push_back(top_text()); });
    if (block.by.empty()) return problems_.add(block.origin, what + " needs 'by': a property, or a list of them");
    for (const std::string& name : block.by) {
      std::vector<std::string_view> given;
      for (const MapField& field : block.fields) given.emplace_back(field.property);
      if (std::find(given.begin(), given.end(), name) == given.end())
        problems_.unknown(place_of("by", block.origin.line), "property", name, "'by' of " + what, given);
    }
  }

  void read_value(MapField& field, const std::string& what) {
    static const std::map<std::string, Kind, std::less<>> kinds = {
        {"column", Kind::Column},     {"always", Kind::Always}, {"join", Kind::Join},     {"one_of", Kind::OneOf},
        {"position", Kind::Position}, {"parent", Kind::Parent}, {"lookup", Kind::Lookup}, {"code", Kind::Code}};
    const auto kind = kinds.find(text("kind"));
    if (kind == kinds.end()) return problems_.add(field.origin, field.property + " of " + what + ": " + text("says"));
    MapValue& value = field.value;
    value.kind = kind->second;
    value.separator = text("separator");
    value.number = static_cast<std::size_t>(std::max(1, number("number")) - 1);
    if (value.kind == Kind::Always) with("value", [&] { value.constant = to_value(lua_, -1).value_or(Null{}); });
    if (value.kind == Kind::OneOf) read_answers(value);
    if (value.kind == Kind::Column || value.kind == Kind::Join || value.kind == Kind::OneOf)
      for_each("columns", [&] { value.columns.push_back(top_text()); });
  }

  void read_answers(MapValue& value) {
    with("answers", [&] {
      for (lua_pushnil(lua_); lua_next(lua_, -2); lua_pop(lua_, 1)) {
        Value answer = to_value(lua_, -1).value_or(Null{});
        lua_pushvalue(lua_, -2);
        value.answers.emplace(top_text(), std::move(answer));
        lua_pop(lua_, 1);
      }
    });
  }

  lua_State* lua_;
  const Source& source_;
  catalog::Problems& problems_;
  MapDefinition map_;
};

}  // namespace

MapDefinition read_import_map(lua_State* lua, const Source& source, catalog::Problems& problems) {
  return MapReader(lua, source, problems).read();
}

}  // namespace callisto::script
