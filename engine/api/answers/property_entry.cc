#include "engine/api/answers/property_entry.h"

#include "engine/json/write.h"

namespace callisto::api {

void write_property_members(json::Writer& writer, const catalog::Property& property, const PropertyView& view) {
  writer.key("name").string(property.name);
  writer.key("displayName").string(property.display_name);
  const bool lookup = property.type == catalog::DataType::Lookup;
  writer.key("type").string(lookup ? std::string_view(property.target->name) : catalog::name(property.type));
  writer.key("displayTypes").begin_array();
  for (const std::string& display : property.display_types) writer.string(display);
  writer.end_array();
  writer.key("dataType").string(catalog::name(property.type));
  writer.key("class").string(catalog::name(property.property_class));
  writer.key("description").string(property.description);
  writer.key("usage").string(property.internal ? "Internal" : "Public");
  if (property.is_key) writer.key("isKey").boolean(true);
  // Deleted rows are searched for by @IsDeleted alone (API rule 2.11).
  if (property.no_search || property.name == catalog::system::is_deleted) writer.key("noSearch").boolean(true);
  if (property.default_value) {
    writer.key("defaultValue");
    json::append_value(writer.raw(), *property.default_value);
  }
  // By which people know the record that it leads to: what a list selects to show more than a key.
  if (lookup && property.target->label && view.shows(*property.target->label))
    writer.key("label").string(property.target->label->name);
  if (property.length) writer.key("length").integer(static_cast<std::int64_t>(*property.length));
  if (property.uppercase) writer.key("uppercase").boolean(true);
  if (view.is_fixed(property)) writer.key("readOnly").boolean(true);
  if (property.choices.empty()) return;
  writer.key("choices").begin_array();
  for (const std::string& choice : property.choices) writer.string(choice);
  writer.end_array();
}

}  // namespace callisto::api
