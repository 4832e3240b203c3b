// One operation of an OpenAPI document: how it begins, what it takes, what it answers. Members of a path. One thread,
// while a document is written.
#pragma once

#include "engine/api/answers/property_view.h"
#include "engine/api/openapi/names.h"
#include "engine/catalog/catalog.h"
#include "engine/json/write.h"

#include <string>
#include <string_view>
#include <vector>

namespace callisto::api {

// What is asked again and again while a document is written.
struct OpenApiWriter {
  json::Writer& json;
  OpenApiNames& names;
  PropertyView view = {};  // what the reader of the document sees
};

// Of components.parameters: "QueryTop".
using ParameterNames = std::vector<std::string_view>;

struct Operation {
  const char* method;
  std::string id;  // behind the entity's name: "Search"
  std::string summary, description;
  ParameterNames parameters;
};

// Opens the operation; its body and answers are due next, then end_operation().
void begin_operation(const OpenApiWriter& writer, const catalog::Entity& entity, const Operation& operation);

void write_schema(json::Writer& writer, std::string_view schema);  // "schema": {"$ref": ...}

// What 200 answers as that media type; its schema is due next, then end_operation().
void begin_content(json::Writer& writer, std::string_view description,
                   std::string_view media_type = "application/json");
void begin_responses(json::Writer& writer, std::string_view schema, std::string_view description);

enum class Kind { ReadsList, ReadsRecord, WritesList, WritesRecord };
// The other statuses.
void end_operation(json::Writer& writer, Kind kind);

}  // namespace callisto::api
