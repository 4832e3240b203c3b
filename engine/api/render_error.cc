#include "engine/api/render_error.h"

#include "engine/base/log.h"
#include "engine/json/write.h"

namespace callisto::api {

namespace {

void write_diagnostic(json::Writer& writer, const Diagnostic& diagnostic) {
  if (diagnostic.position > 0) writer.key("Position").integer(static_cast<std::int64_t>(diagnostic.position));
  if (!diagnostic.option.empty()) writer.key("Option").string(diagnostic.option);
  if (!diagnostic.found.empty()) writer.key("Found").string(diagnostic.found);
  if (!diagnostic.expected.empty()) {
    writer.key("Expected").begin_array();
    for (const std::string& expected : diagnostic.expected) writer.string(expected);
    writer.end_array();
  }
  if (!diagnostic.suggestion.empty()) writer.key("Suggestion").string(diagnostic.suggestion);
}

}  // namespace

void append_error(std::string& out, const Error& error) {
  if (!error.log_detail.empty()) log::error(error.log_detail);
  json::Writer writer(out);
  writer.begin_object();
  writer.key("Message").string(error.message);
  writer.key("Type").string(error.type);
  writer.key("SubStatus").string(name(error.sub_status));
  if (error.diagnostic) write_diagnostic(writer, *error.diagnostic);
  if (!error.errors.empty()) {
    writer.key("Errors").begin_array();
    for (const PropertyError& each : error.errors) {
      writer.begin_object();
      writer.key("Property").string(each.property);
      writer.key("Message").string(each.message);
      writer.end_object();
    }
    writer.end_array();
  }
  writer.end_object();
}

void render_error(const Error& error, http::Response& response) {
  response.status = error.status;
  response.headers = error.headers;
  response.content_type = "application/json; charset=utf-8";
  std::string().swap(response.body);  // what was begun may be large
  response.memory.give_back();
  response.kept.reset();
  append_error(response.body, error);
}

}  // namespace callisto::api
