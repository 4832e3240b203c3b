#include "engine/api/openapi/shared.h"

namespace callisto::api::openapi_texts {

// API rules 3.8 and 3.9.
const std::string_view administration = R"json("/{entity}/$rules": {"get": {
  "operationId": "Api.Rules", "tags": ["Administration"], "summary": "The rules of an entity",
  "description": "Which state offers which action to whom, where each rule stands, and where a picture of the states has its boxes and lines.",
  "parameters": [
    {"name": "entity", "in": "path", "required": true, "description": "The name of an entity.", "schema": {"type": "string"}},
    {"$ref": "#/components/parameters/QueryInlinecount"}
  ],
  "responses": {
    "200": {"description": "The rules", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiRules"}}}},
    "400": {"$ref": "#/components/responses/BadRequest"},
    "401": {"$ref": "#/components/responses/Unauthorized"},
    "403": {"$ref": "#/components/responses/Forbidden"},
    "404": {"$ref": "#/components/responses/NotFound"}
  }
}})json";

const std::string_view administration_schemas = R"json("ApiRules": {
  "type": "object",
  "required": ["_self", "_context", "grantees", "states", "actions", "warnings"],
  "properties": {
    "_self": {"type": "string"},
    "_context": {"type": "string"},
    "stateProperty": {"type": "string"},
    "grantees": {"type": "array", "items": {"type": "string"}},
    "states": {"type": "array", "items": {
      "type": "object",
      "required": ["name", "value", "initial", "final"],
      "properties": {
        "name": {"type": "string"},
        "value": {"type": "integer", "format": "int64"},
        "description": {"type": "string"},
        "initial": {"type": "boolean"},
        "final": {"type": "boolean"},
        "__count": {"type": "integer", "format": "int64", "description": "Records in it that this session sees, with $inlinecount=true."}
      }
    }},
    "actions": {"type": "array", "items": {"type": "object", "additionalProperties": true}},
    "warnings": {"type": "array", "items": {
      "type": "object",
      "properties": {"message": {"type": "string"}, "source": {"type": "string"}}
    }},
    "diagram": {
      "type": "object",
      "description": "In pixels, from the upper left; missing where there are no states. A state of null is where records begin.",
      "required": ["width", "height", "states", "moves"],
      "properties": {
        "width": {"type": "integer"},
        "height": {"type": "integer"},
        "states": {"type": "array", "items": {
          "type": "object",
          "properties": {
            "state": {"type": ["string", "null"]}, "x": {"type": "integer"}, "y": {"type": "integer"},
            "width": {"type": "integer"}, "height": {"type": "integer"}
          }
        }},
        "moves": {"type": "array", "items": {
          "type": "object",
          "properties": {
            "from": {"type": ["string", "null"]},
            "to": {"type": "string"},
            "actions": {"type": "array", "items": {"type": "string"}, "description": "Each is a row of the label."},
            "path": {"type": "string", "description": "Data of an SVG path."},
            "tip": {"type": "string", "description": "The same, of the arrow's tip."},
            "label": {"type": "object", "properties": {
              "x": {"type": "integer"}, "y": {"type": "integer"}, "width": {"type": "integer"}, "height": {"type": "integer"}
            }}
          }
        }}
      }
    }
  }
})json";

}  // namespace callisto::api::openapi_texts
