#include "engine/api/openapi/shared.h"

namespace callisto::api::openapi_texts {

// API rules 3.10 to 3.15 and 3.17.
const std::string_view administration = R"json("/$health": {"get": {
  "operationId": "Server.Health", "tags": ["Administration"], "summary": "How the server is",
  "description": "Figures of the last hour, one for each 10 s, and the newest of this moment. In memory alone.",
  "parameters": [],
  "responses": {
    "200": {"description": "How the server is", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiHealth"}}}},
    "400": {"$ref": "#/components/responses/BadRequest"},
    "401": {"$ref": "#/components/responses/Unauthorized"},
    "403": {"$ref": "#/components/responses/Forbidden"}
  }
}},
"/$audit": {"get": {
  "operationId": "Server.Audit", "tags": ["Administration"], "summary": "The audit log",
  "description": "Of this node, the newest first. _links.Next leads on.",
  "parameters": [{"name": "event", "in": "query", "required": false, "description": "The name of an event.", "schema": {"type": "string"}},
    {"name": "person", "in": "query", "required": false, "description": "Ref of a person.", "schema": {"type": "integer"}},
    {"name": "since", "in": "query", "required": false, "description": "A date.", "schema": {"type": "string"}},
    {"name": "$top", "in": "query", "required": false, "description": "How many lines; 50 unless it says otherwise.", "schema": {"type": "integer", "minimum": 1, "maximum": 1000}},
    {"name": "$after", "in": "query", "required": false, "description": "Where the page before ended, as its link tells.", "schema": {"type": "integer"}}],
  "responses": {
    "200": {"description": "The audit log", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiAudit"}}}},
    "400": {"$ref": "#/components/responses/BadRequest"},
    "401": {"$ref": "#/components/responses/Unauthorized"},
    "403": {"$ref": "#/components/responses/Forbidden"}
  }
}},
"/$source": {"get": {
  "operationId": "Server.Source", "tags": ["Administration"], "summary": "A script as it runs",
  "description": "From memory, of files with functions.",
  "parameters": [{"name": "file", "in": "query", "required": false, "description": "Its name, as places of rules and failures tell it; without one the answer lists them.", "schema": {"type": "string"}}],
  "responses": {
    "200": {"description": "A script as it runs", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiSource"}}}},
    "400": {"$ref": "#/components/responses/BadRequest"},
    "401": {"$ref": "#/components/responses/Unauthorized"},
    "403": {"$ref": "#/components/responses/Forbidden"},
    "404": {"$ref": "#/components/responses/NotFound"}
  }
}},
"/$changes": {"get": {
  "operationId": "Server.Changes", "tags": ["Administration"], "summary": "What is on disk against what runs",
  "description": "It loads everything beside the server, and only reads. 503 while somebody else does.",
  "parameters": [],
  "responses": {
    "200": {"description": "What is on disk against what runs", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiChanges"}}}},
    "400": {"$ref": "#/components/responses/BadRequest"},
    "401": {"$ref": "#/components/responses/Unauthorized"},
    "403": {"$ref": "#/components/responses/Forbidden"},
    "503": {"$ref": "#/components/responses/Unavailable"}
  }
}},
"/$specs": {"get": {
  "operationId": "Server.Specs", "tags": ["Administration"], "summary": "The specs of what is on disk",
  "description": "It runs them on the sample desk in memory, and touches no data. 503 while somebody else does.",
  "parameters": [],
  "responses": {
    "200": {"description": "The specs of what is on disk", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiSpecs"}}}},
    "400": {"$ref": "#/components/responses/BadRequest"},
    "401": {"$ref": "#/components/responses/Unauthorized"},
    "403": {"$ref": "#/components/responses/Forbidden"},
    "503": {"$ref": "#/components/responses/Unavailable"}
  }
}},
"/$sandbox": {"get": {
  "operationId": "Server.Sandbox", "tags": ["Administration"], "summary": "The sandbox",
  "description": "Whether one runs, its time, and the newest thousand things that happened in it.",
  "parameters": [],
  "responses": {
    "200": {"description": "The sandbox", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiSandbox"}}}},
    "400": {"$ref": "#/components/responses/BadRequest"},
    "401": {"$ref": "#/components/responses/Unauthorized"},
    "403": {"$ref": "#/components/responses/Forbidden"},
    "503": {"$ref": "#/components/responses/Unavailable"}
  }
},
"post": {
  "operationId": "Server.BeginSandbox", "tags": ["Administration"], "summary": "Begin a sandbox",
  "description": "The sample desk by the rules that are on disk, in memory, instead of the one that runs. The header Callisto-Sandbox: login=NAME has any request of the API answered there, as that person.",
  "parameters": [],
  "responses": {
    "200": {"description": "The sandbox", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiSandbox"}}}},
    "400": {"$ref": "#/components/responses/BadRequest"},
    "401": {"$ref": "#/components/responses/Unauthorized"},
    "403": {"$ref": "#/components/responses/Forbidden"},
    "503": {"$ref": "#/components/responses/Unavailable"}
  }
},
"put": {
  "operationId": "Server.MoveSandbox", "tags": ["Administration"], "summary": "Move the clock of the sandbox",
  "description": "Whatever is due on the way is done, webhooks too. It stops after 20 s.",
  "parameters": [{"name": "minutes", "in": "query", "required": false, "description": "How far the clock goes.", "schema": {"type": "integer", "minimum": 1, "maximum": 527040}},
    {"name": "receivers", "in": "query", "required": false, "description": "The status that receivers of webhooks answer with from now on.", "schema": {"type": "integer", "minimum": 200, "maximum": 599}}],
  "responses": {
    "200": {"description": "The sandbox", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiSandbox"}}}},
    "400": {"$ref": "#/components/responses/BadRequest"},
    "401": {"$ref": "#/components/responses/Unauthorized"},
    "403": {"$ref": "#/components/responses/Forbidden"},
    "404": {"$ref": "#/components/responses/NotFound"},
    "503": {"$ref": "#/components/responses/Unavailable"}
  }
},
"delete": {
  "operationId": "Server.EndSandbox", "tags": ["Administration"], "summary": "End the sandbox",
  "description": "It ends by itself an hour after its last use.",
  "parameters": [],
  "responses": {
    "200": {"description": "The sandbox", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiSandbox"}}}},
    "400": {"$ref": "#/components/responses/BadRequest"},
    "401": {"$ref": "#/components/responses/Unauthorized"},
    "403": {"$ref": "#/components/responses/Forbidden"},
    "503": {"$ref": "#/components/responses/Unavailable"}
  }
}},
"/$reload": {"get": {
  "operationId": "Server.LastReload", "tags": ["Administration"], "summary": "The last reload",
  "description": "Its outcome; null where there was none.",
  "parameters": [],
  "responses": {
    "200": {"description": "The last reload", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiReload"}}}},
    "400": {"$ref": "#/components/responses/BadRequest"},
    "401": {"$ref": "#/components/responses/Unauthorized"},
    "403": {"$ref": "#/components/responses/Forbidden"}
  }
},
"post": {
  "operationId": "Server.Reload", "tags": ["Administration"], "summary": "Load what is on disk",
  "description": "As callisto reload does. It is done behind the answer; a GET tells what came of it.",
  "parameters": [{"name": "force", "in": "query", "required": false, "description": "Although webhooks lose words.", "schema": {"type": "boolean"}}],
  "responses": {
    "202": {"description": "Load what is on disk", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiReloadAsked"}}}},
    "400": {"$ref": "#/components/responses/BadRequest"},
    "401": {"$ref": "#/components/responses/Unauthorized"},
    "403": {"$ref": "#/components/responses/Forbidden"}
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
},
"ApiSandbox": {
  "type": "object",
  "required": ["_self", "runs"],
  "properties": {
    "_self": {"type": "string"}, "runs": {"type": "boolean"},
    "now": {"type": "string", "format": "date-time"}, "began": {"type": "string", "format": "date-time"},
    "stopped": {"type": "boolean", "description": "The last move took too long and ended on the way."},
    "receivers": {"type": "integer", "description": "The status that they answer with."},
    "dueDone": {"type": "integer", "format": "int64", "description": "How many records had something done that was due."},
    "problems": {"type": "array", "items": {"type": "string"}, "description": "Why what was due could not be done."},
    "happened": {"type": "array", "items": {
      "type": "object",
      "required": ["date"],
      "properties": {
        "date": {"type": "string", "format": "date-time"},
        "event": {"type": "string"}, "entity": {"type": "string"}, "ref": {"type": "integer", "format": "int64"},
        "person": {"type": "integer", "format": "int64", "description": "Missing: the desk did it by itself."},
        "delivery": {"type": "integer", "format": "int64", "description": "Of a request to a receiver."},
        "url": {"type": "string"}, "status": {"type": "integer"}
      }
    }},
    "leftOut": {"type": "integer", "format": "int64", "description": "Older ones that are gone."}
  }
},
"ApiHealth": {
  "type": "object",
  "properties": {
    "_self": {"type": "string"}, "version": {"type": "string"}, "generation": {"type": "string"},
    "started": {"type": "string", "format": "date-time"},
    "database": {"type": "object", "properties": {"answers": {"type": "boolean"}, "takesWrites": {"type": "boolean"}}},
    "sendsWebhooks": {"type": "boolean"}, "reloadFailed": {"type": "boolean"},
    "licences": {"type": "object", "properties": {"inUse": {"type": "integer"}, "capacity": {"type": "integer", "description": "0: unlimited."}}},
    "auditLost": {"type": "integer"},
    "seconds": {"type": "integer", "description": "That a figure is about."},
    "figures": {"type": "array", "items": {"type": "object", "properties": {
      "at": {"type": "string", "format": "date-time"},
      "requests": {"type": "integer"}, "failed": {"type": "integer", "description": "Answered with 500 or more."},
      "mean": {"type": "number", "description": "Milliseconds of a request."},
      "slow": {"type": "number", "description": "At most so many for 19 of 20."},
      "waiting": {"type": "integer", "description": "Requests that wait for a turn."},
      "queue": {"type": "integer", "description": "Deliveries that wait."},
      "dueLag": {"type": "number", "description": "Seconds that the oldest due record waits."},
      "sessions": {"type": "integer"}
    }}}
  }
},
"ApiAudit": {
  "type": "object",
  "properties": {
    "_self": {"type": "string"},
    "results": {"type": "array", "items": {"type": "object", "additionalProperties": true}},
    "_links": {"$ref": "#/components/schemas/ApiPageLinks"}
  }
},
"ApiSource": {
  "type": "object",
  "properties": {"_self": {"type": "string"}, "files": {"type": "array", "items": {"type": "string"}}, "file": {"type": "string"}, "lines": {"type": "array", "items": {"type": "string"}}}
},
"ApiChanges": {
  "type": "object",
  "properties": {
    "_self": {"type": "string"}, "generation": {"type": "string"},
    "loads": {"type": "boolean", "description": "false: a finding is an error, and the rest is empty."},
    "findings": {"type": "array", "items": {"type": "object", "properties": {
      "file": {"type": "string"}, "line": {"type": "integer"}, "column": {"type": "integer"}, "length": {"type": "integer"},
      "excerpt": {"type": "string"}, "severity": {"type": "string", "enum": ["error", "warning"]}, "message": {"type": "string"},
      "suggestion": {"type": "string"}
    }}},
    "refused": {"type": "array", "items": {"type": "string"}, "description": "Why a reload would be refused."},
    "changes": {"type": "array", "items": {"type": "string"}},
    "effects": {"type": "array", "items": {"type": "string"}, "description": "On existing data."},
    "last": {"$ref": "#/components/schemas/ApiReloadOutcome"}
  }
},
"ApiSpecs": {
  "type": "object",
  "properties": {
    "_self": {"type": "string"}, "passed": {"type": "integer"}, "failed": {"type": "integer"},
    "stopped": {"type": "boolean", "description": "They took more than a minute, or the server stopped; the rest did not run."},
    "seconds": {"type": "number"},
    "failures": {"type": "array", "items": {"type": "object", "properties": {
      "spec": {"type": "string"}, "file": {"type": "string"}, "line": {"type": "integer"}, "message": {"type": "string"},
      "expected": {"type": "string"}, "actual": {"type": "string"}
    }}},
    "coverage": {"type": "object", "properties": {
      "sum": {"type": "string"},
      "missing": {"type": "array", "items": {"type": "object", "properties": {
        "file": {"type": "string"},
        "lines": {"type": "array", "items": {"type": "string"}, "description": "What no spec reaches, with its line."}
      }}}
    }}
  }
},
"ApiReload": {
  "type": "object",
  "properties": {"_self": {"type": "string"}, "last": {"$ref": "#/components/schemas/ApiReloadOutcome"}}
},
"ApiReloadAsked": {"type": "object", "properties": {"_self": {"type": "string"}}},
"ApiReloadOutcome": {
  "type": ["object", "null"],
  "properties": {
    "Run": {"type": "integer"}, "Started": {"type": "string", "format": "date-time"}, "Date": {"type": "string", "format": "date-time"},
    "Done": {"type": "boolean"}, "Problems": {"type": "array", "items": {"type": "string"}}
  }
})json";

}  // namespace callisto::api::openapi_texts
