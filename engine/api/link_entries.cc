#include "engine/api/link_entries.h"

#include "engine/api/links.h"
#include "engine/base/text.h"

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
                     std::string_view version) {
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

}  // namespace

void write_entity_links(json::Writer& writer, const catalog::Entity& entity, std::string_view version) {
  write_own_links(writer, entity, entity.name + "/{id}", version);
  for (const catalog::Property* property : entity.properties)
    if (is_linked(*property)) write_lookup(writer, *property, "{" + property->name + "}", version);
}

void write_record_links(json::Writer& writer, const catalog::Entity& entity, std::string_view self,
                        const query::Plan& plan, const records::Row& row, std::string_view version) {
  write_own_links(writer, entity, self, version);
  for (std::size_t i = 0; i < plan.columns.size(); ++i) {
    const query::Path& path = plan.columns[i];
    if (path.source != 0 || !path.hops.empty() || !is_linked(*path.property) || row.is_null(i)) continue;
    write_lookup(writer, *path.property, std::to_string(row.integer(i)), version);
  }
}

}  // namespace callisto::api
