#include "engine/api/openapi/operations.h"

#include "engine/api/openapi/schemas.h"

namespace callisto::api {

void begin_operation(const OpenApiWriter& out, const catalog::Entity& entity, const Operation& operation) {
  json::Writer& writer = out.json;
  writer.key(operation.method).begin_object();
  writer.key("operationId").string(out.names.operation(entity, operation.id));
  writer.key("tags").begin_array().string(entity.name).end_array();
  writer.key("summary").string(operation.summary);
  writer.key("description").string(operation.description.empty() ? operation.summary : operation.description);
  if (operation.parameters.empty()) return;
  writer.key("parameters").begin_array();
  for (const std::string_view name : operation.parameters) write_ref(writer, "parameters", name);
  writer.end_array();
}

void write_schema(json::Writer& writer, std::string_view schema) {
  writer.key("schema");
  write_ref(writer, "schemas", schema);
}

void begin_content(json::Writer& writer, std::string_view description, std::string_view media_type) {
  writer.key("responses").begin_object().key("200").begin_object().key("description").string(description);
  writer.key("content").begin_object().key(media_type).begin_object();
}

void begin_responses(json::Writer& writer, std::string_view schema, std::string_view description) {
  begin_content(writer, description);
  write_schema(writer, schema);
}

void end_operation(json::Writer& writer, Kind kind) {
  const bool writes = kind == Kind::WritesList || kind == Kind::WritesRecord;
  const bool of_record = kind == Kind::ReadsRecord || kind == Kind::WritesRecord;
  writer.end_object().end_object().end_object();  // the media type, content, 200
  const auto refer = [&](const char* status, std::string_view name) {
    writer.key(status);
    write_ref(writer, "responses", name);
  };
  if (!writes) refer("304", "NotModified");
  refer("400", "BadRequest");
  refer("401", "Unauthorized");
  refer("403", "Forbidden");
  if (of_record) refer("404", "NotFound");
  if (writes) {
    refer("405", "NotSupported");
    refer("413", "TooLarge");
    refer("415", "UnsupportedMediaType");
    refer("429", "TooManyRequests");
  }
  refer("500", "ServerError");
  refer("503", "Unavailable");
  writer.end_object().end_object();  // responses, the operation
}

}  // namespace callisto::api
