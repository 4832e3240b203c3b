#include "engine/api/openapi/files.h"

#include "engine/api/openapi/schemas.h"

namespace callisto::api {

namespace {

void write_binary(json::Writer& writer) {
  writer.begin_object().key("type").string("string").key("format").string("binary").end_object();
}

ParameterNames with(ParameterNames keys, std::string_view header) {
  keys.push_back(header);
  return keys;
}

// A form with a file and what is said of it. Not the JSON that means the same: of two types of one body generators take
// that which has no file.
void write_file_body(const OpenApiWriter& out, const catalog::SubResource& list) {
  json::Writer& writer = out.json;
  writer.key("requestBody").begin_object().key("required").boolean(true).key("content").begin_object();
  writer.key("multipart/form-data").begin_object().key("schema").begin_object().key("type").string("object");
  writer.key("required").begin_array().string("file").end_array();
  writer.key("properties").begin_object().key("file");
  write_binary(writer);
  for (const catalog::Property* property : list.entity->properties)
    if (is_writable(*property, out.view) && property->type == catalog::DataType::Text && !property->list)
      write_given(writer, *property, false);
  writer.end_object().end_object().end_object();
  writer.end_object().end_object();
}

void write_bytes_body(json::Writer& writer) {
  writer.key("requestBody").begin_object().key("required").boolean(true).key("content").begin_object();
  writer.key("application/octet-stream").begin_object().key("schema");
  write_binary(writer);
  writer.end_object().end_object().end_object();
}

}  // namespace

void write_bytes_path(const OpenApiWriter& out, const catalog::Entity& entity, const std::string& path,
                      const ParameterNames& keys, const Route& route, const std::string& what) {
  json::Writer& writer = out.json;
  writer.key(path).begin_object();
  begin_operation(out, entity,
                  {"get", "Download" + what, "The bytes", "Range, ETag and If-None-Match are understood.",
                   with(keys, "HeaderIfNoneMatch")});
  begin_content(writer, "The bytes, as the type that they were sent with", "application/octet-stream");
  writer.key("schema");
  write_binary(writer);
  writer.end_object();
  writer.key("*/*").begin_object().key("schema");
  write_binary(writer);
  end_operation(writer, Kind::ReadsRecord);
  if (allowed_methods(route).put) {
    begin_operation(out, entity,
                    {"put", "Upload" + what, "Replace the bytes",
                     "Under any type of their own, or as one file of a form.", with(keys, "HeaderIfMatch")});
    write_bytes_body(writer);
    begin_responses(writer, "ApiReference", "Done");
    end_operation(writer, Kind::WritesRecord);
  }
  if (allowed_methods(route).del) {
    begin_operation(out, entity, {"delete", "Delete" + what, "Remove the bytes", {}, with(keys, "HeaderIfMatch")});
    begin_responses(writer, "ApiReference", "Done");
    end_operation(writer, Kind::WritesRecord);
  }
  writer.end_object();
}

// One form with one file, as the document has it, answers its record; forms with more a list, `results`.
void write_file_change(const OpenApiWriter& out, const catalog::Entity& owner, const catalog::SubResource& list,
                       const Operation& operation, FileChange change) {
  json::Writer& writer = out.json;
  begin_operation(out, owner, operation);
  if (change != FileChange::Remove) write_file_body(out, list);
  begin_responses(
      writer, change == FileChange::Remove ? std::string_view("ApiReference") : out.names.record(*list.entity), "Done");
  end_operation(writer, Kind::WritesRecord);
}

}  // namespace callisto::api
