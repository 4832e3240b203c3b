// What the floor writes: rows of a database's own client as the server's JSON, by RapidJSON's Writer. The shape is the
// plan's; nothing of the engine runs while a row is written. One thread at a time.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/text.h"
#include "engine/query/plan.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::bench {

using JsonWriter = rapidjson::Writer<rapidjson::StringBuffer>;

inline void write_string(JsonWriter& out, std::string_view text) {
  out.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}
inline void write_key(JsonWriter& out, std::string_view name) {
  out.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
}

// A short text put together on the stack.
class Link {
 public:
  Link& operator<<(std::string_view part) {
    const std::size_t taken = std::min(part.size(), data_.size() - size_);
    std::memcpy(data_.data() + size_, part.data(), taken);
    size_ += taken;
    return *this;
  }
  Link& operator<<(std::int64_t number) {
    const auto end = std::to_chars(data_.data() + size_, data_.data() + data_.size(), number).ptr;
    size_ = static_cast<std::size_t>(end - data_.data());
    return *this;
  }
  std::string_view text() const { return {data_.data(), size_}; }

 private:
  std::array<char, 256> data_;
  std::size_t size_ = 0;
};

// `row`: SqliteRows or PostgresRows, at the row that next() came to.
class RowText {
 public:
  explicit RowText(const query::Plan& plan) : plan_(plan) {
    for (std::size_t i = 0; i < plan.columns.size(); ++i) add_lookup(plan.columns[i], i);
    for (const catalog::SubResource& sub : plan.entity->sub_resources)
      lists_.emplace_back(text::pascal_case(sub.name), "/" + sub.name);
  }

  void write(JsonWriter& out, const auto& row) const {
    out.StartObject();
    write_members(out, row);
    out.EndObject();
  }

  // One record with its links.
  void write_record(JsonWriter& out, const auto& row) const {
    out.StartObject();
    write_members(out, row);
    write_key(out, "_links");
    write_links(out, row);
    write_key(out, "_actions");
    out.StartObject();
    out.EndObject();
    out.EndObject();
  }

 private:
  struct Lookup {
    std::size_t column;
    std::string name, self, href;  // href without the key
  };

  void add_lookup(const query::Path& path, std::size_t column) {
    const catalog::Property& property = *path.property;
    if (path.source != 0 || !path.hops.empty() || property.type != catalog::DataType::Lookup || property.internal)
      return;
    const std::string target = "api:v1/" + property.target->name;
    lookups_.push_back({column, property.name, target + "/$metadata", target + "/"});
  }

  static std::string_view type_of(const auto& row, const catalog::Entity& entity, std::optional<std::size_t> type) {
    return type ? row.text(*type) : std::string_view(entity.name);
  }

  static void write_identity(JsonWriter& out, std::string_view type, std::int64_t key) {
    write_key(out, "_context");
    write_string(out, (Link() << "api:v1/" << type << "/$metadata").text());
    write_key(out, "_self");
    write_string(out, (Link() << "api:v1/" << type << "/" << key).text());
  }

  void write_members(JsonWriter& out, const auto& row) const {
    write_identity(out, type_of(row, *plan_.entity, plan_.type_column), row.integer(plan_.key_columns.front()));
    for (const query::ShapeNode& node : plan_.shape) write_node(out, node, row);
  }

  static void write_node(JsonWriter& out, const query::ShapeNode& node, const auto& row) {
    write_key(out, node.name);
    if (node.kind == query::ShapeNode::Kind::Value) return write_value(out, *node.property, row, node.column);
    const std::size_t key = node.key_columns.front();
    if (row.is_null(key)) {
      if (node.bare_key_column && !row.is_null(*node.bare_key_column)) out.Int64(row.integer(*node.bare_key_column));
      else out.Null();
      return;
    }
    out.StartObject();
    write_identity(out, type_of(row, *node.entity, node.type_column), row.integer(key));
    for (const query::ShapeNode& child : node.children) write_node(out, child, row);
    out.EndObject();
  }

  static void write_value(JsonWriter& out, const catalog::Property& property, const auto& row, std::size_t column) {
    using catalog::DataType;
    if (row.is_null(column)) {
      out.Null();
      return;
    }
    switch (property.type) {
      case DataType::DateTime:
        return write_date(out, row.integer(column));
      case DataType::Boolean:
        out.Bool(property.stored.is_text() ? row.text(column) == property.stored.yes : row.integer(column) != 0);
        return;
      case DataType::Float:
      case DataType::Double:
        out.Double(row.real(column));
        return;
      case DataType::Text:
      case DataType::RichText:
      case DataType::Binary:
        return write_string(out, row.text(column));
      default:
        out.Int64(row.integer(column));
    }
  }

  static void write_date(JsonWriter& out, std::int64_t ms) {
    thread_local std::string text;
    text.clear();
    append_iso8601(text, DateTime{ms});
    write_string(out, text);
  }

  void write_links(JsonWriter& out, const auto& row) const {
    const std::string_view type = type_of(row, *plan_.entity, plan_.type_column);
    const Link self = Link() << "api:v1/" << type << "/" << row.integer(plan_.key_columns.front());
    const Link search = Link() << "api:v1/" << type;
    out.StartObject();
    write_entry(out, "Get", (Link(self) << "/$options").text(), self.text());
    write_entry(out, "Search", (Link(search) << "/$options").text(), search.text());
    for (const auto& [name, path] : lists_) {
      const Link list = Link(self) << path;
      write_entry(out, name, (Link(list) << "/$options").text(), list.text());
    }
    for (const Lookup& lookup : lookups_)
      if (!row.is_null(lookup.column))
        write_entry(out, lookup.name, lookup.self, (Link() << lookup.href << row.integer(lookup.column)).text());
    out.EndObject();
  }

  static void write_entry(JsonWriter& out, std::string_view name, std::string_view self, std::string_view href) {
    write_key(out, name);
    out.StartArray();
    out.StartObject();
    write_key(out, "_self");
    write_string(out, self);
    write_key(out, "href");
    write_string(out, href);
    write_key(out, "method");
    write_string(out, "GET");
    out.EndObject();
    out.EndArray();
  }

  const query::Plan& plan_;
  std::vector<Lookup> lookups_;
  std::vector<std::pair<std::string, std::string>> lists_;  // name in _links, path below the record
};

}  // namespace callisto::bench
