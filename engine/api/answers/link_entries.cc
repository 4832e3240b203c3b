#include "engine/api/answers/link_entries.h"

#include "engine/base/text.h"

#include <algorithm>

namespace callisto::api {

namespace {

void write_entry(json::Writer& writer, std::string_view name, const std::string& self, const std::string& href) {
  writer.key(name).begin_array().begin_object();
  writer.key("_self").string(self);
  writer.key("href").string(href);
  if (href.find('{') != std::string::npos) writer.key("templated").boolean(true);
  writer.key("method").string("GET");
  writer.end_object().end_array();
}

void write_own_links(json::Writer& writer, const catalog::Entity& entity, std::string_view self,
                     std::string_view version, const PropertyView& view) {
  if (entity.key.size() == 1) {
    const std::string get = link(version, self);
    write_entry(writer, "Get", get + "/$options", get);
  }
  const std::string search = link(version, entity.name);
  write_entry(writer, "Search", search + "/$options", search);
  for (const catalog::SubResource& sub : entity.sub_resources) {
    const std::string list = link(version, self) + "/" + sub.name;
    write_entry(writer, text::pascal_case(sub.name), list + "/$options", list);
  }
  for (const catalog::Property* property : entity.properties) {
    if (!has_url(*property) || entity.key.size() != 1 || !view.shows(*property)) continue;
    const std::string bytes = link(version, self) + "/" + text::ascii_lower(property->name);
    write_entry(writer, property->name, bytes + "/$options", bytes);
  }
}

void write_lookup(json::Writer& writer, const catalog::Property& property, const std::string& key,
                  std::string_view version) {
  const std::string target = link(version, property.target->name);
  write_entry(writer, property.name, target + "/$metadata", target + "/" + key);
}

bool is_linked(const catalog::Property& property) {
  return property.type == catalog::DataType::Lookup && !property.internal && !property.query_alias &&
         property.target->key.size() == 1;
}

KeyedText own_text(const catalog::Entity& entity, std::string_view version, const PropertyView& view) {
  std::string text;
  json::Writer writer(text);
  write_own_links(writer, entity, entity.name + "/" + std::string(key_mark), version, view);
  return KeyedText(text);
}

// Follows the own links, of which there is at least one.
KeyedText lookup_text(const catalog::Property& property, std::string_view version) {
  std::string text;
  json::Writer writer(text);
  write_lookup(writer, property, std::string(key_mark), version);
  return KeyedText("," + text);
}

}  // namespace

void write_entity_links(json::Writer& writer, const catalog::Entity& entity, std::string_view version,
                        const records::Record* record, const PropertyView& view) {
  write_own_links(writer, entity, entity.name + "/" + (record ? std::to_string(record->key()) : "{id}"), version, view);
  for (const catalog::Property* property : entity.properties) {
    if (!is_linked(*property) || !view.shows(*property)) continue;
    if (record && view.record && view.record->hides(*property)) continue;
    const Value value = record ? record->get(*property) : Value(Null{});
    const auto* key = std::get_if<std::int64_t>(&value);
    if (key) write_lookup(writer, *property, std::to_string(*key), version);
    else if (!record) write_lookup(writer, *property, "{" + property->name + "}", version);
  }
}

RecordLinks::RecordLinks(const query::Plan& plan, std::string_view version, const PropertyView& view) {
  const catalog::Entity& entity = *plan.entity;
  const auto types = plan.type_column ? entity.root().final_types() : std::vector<const catalog::Entity*>{&entity};
  for (const catalog::Entity* type : types) own_.push_back({type, own_text(*type, version, view)});
  for (std::size_t i = 0; i < plan.columns.size(); ++i) {
    const query::Path& path = plan.columns[i];
    if (path.source == 0 && path.hops.empty() && is_linked(*path.property) && view.shows(*path.property))
      lookups_.push_back({i, lookup_text(*path.property, version)});
  }
}

void RecordLinks::append(std::string& out, const catalog::Entity& type, std::int64_t key,
                         const records::Row& row) const {
  const auto own = std::find_if(own_.begin(), own_.end(), [&](const Own& each) { return each.type == &type; });
  if (own != own_.end()) own->text.append(out, key);
  for (const Lookup& lookup : lookups_)
    if (const auto target = row.integer_or_null(lookup.column)) lookup.text.append(out, *target);
}

}  // namespace callisto::api
