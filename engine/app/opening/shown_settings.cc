#include "engine/app/opening/shown_settings.h"

#include "engine/app/opening/database_url.h"
#include "engine/json/write.h"

#include <algorithm>
#include <type_traits>
#include <variant>

namespace callisto::app {

namespace {

constexpr std::string_view mask = "********";

struct Shown {
  SettingValue value;
  bool is_masked = false;
};

Shown shown(const Settings& settings, const SettingDescription& described) {
  SettingValue value = value_of(settings, described.name);
  const auto* text = std::get_if<std::string>(&value);
  if (!described.is_secret || !text || text->empty()) return {std::move(value)};
  const std::string url = without_password(*text);
  const bool is_url = text->find("://") != text->npos || text->starts_with("sqlite:");
  if (!is_url) return {std::string(mask), true};
  const bool had_password = url != *text;
  return {url, had_password};
}

std::string lua_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += {'\\', c};
    else if (byte < 0x20 || byte == 0x7f) out += "\\" + std::to_string(1000 + byte).substr(1);
    else out += c;
  }
  return out + '"';
}

std::string number_text(double number) {
  std::string text;
  json::append_double(text, number);
  return text;
}

std::string lua_text(const SettingValue& value) {
  struct Writer {
    std::string operator()(const std::string& text) const { return lua_quoted(text); }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return number_text(number); }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(const std::vector<std::string>& list) const {
      std::string all;
      for (const std::string& item : list) all += (all.empty() ? " " : ", ") + lua_quoted(item);
      return "{" + all + (all.empty() ? "}" : " }");
    }
  };
  return std::visit(Writer(), value);
}

void append_json(json::Writer& writer, const SettingValue& value) {
  struct Writer {
    json::Writer& out;
    void operator()(const std::string& text) const { out.string(text); }
    void operator()(std::int64_t number) const { out.integer(number); }
    void operator()(double number) const { out.real(number); }
    void operator()(bool flag) const { out.boolean(flag); }
    void operator()(const std::vector<std::string>& list) const {
      out.begin_array();
      for (const std::string& item : list) out.string(item);
      out.end_array();
    }
  };
  std::visit(Writer{writer}, value);
}

std::string line_of(const GivenSettings& given, const SettingDescription& described) {
  const Shown each = shown(given.settings, described);
  const SettingSource source = given.source_of(described.name);
  const bool is_word = described.name.find('.') == described.name.npos;
  std::string line = each.is_masked ? "  -- " : "  ";
  line += is_word ? std::string(described.name) : "[\"" + std::string(described.name) + "\"]";
  line += " = " + lua_text(each.value) + ",";
  constexpr std::size_t place_column = 50;
  line.append(line.size() < place_column ? place_column - line.size() : 1, ' ');
  return line + "-- " + (source.place.empty() ? source.kind : source.place) + "\n";
}

}  // namespace

bool holds_secret(const Settings& settings, std::string_view name) {
  const auto& all = described_settings();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
  return found != all.end() && shown(settings, *found).is_masked;
}

std::string settings_as_lua(const GivenSettings& given) {
  std::string text = "-- Settings file: " + (given.file.empty() ? std::string("none") : given.file) + "\nreturn {\n";
  for (const SettingDescription& each : described_settings()) text += line_of(given, each);
  return text + "}\n";
}

std::string settings_as_json(const GivenSettings& given) {
  std::string text;
  json::Writer writer(text);
  writer.begin_array();
  for (const SettingDescription& described : described_settings()) {
    const Shown each = shown(given.settings, described);
    const SettingSource source = given.source_of(described.name);
    writer.begin_object().key("name").string(described.name);
    append_json(writer.key("value"), each.value);
    if (each.is_masked) writer.key("masked").boolean(true);
    writer.key("source").string(source.kind);
    if (!source.place.empty()) writer.key("place").string(source.place);
    writer.key("meaning").string(described.meaning).end_object();
  }
  writer.end_array();
  return text + "\n";
}

}  // namespace callisto::app
