#include "engine/api/openapi/shared.h"

namespace callisto::api::openapi_texts {

// API rules 2.3, 3.1, 3.2, 5, 6.1.
const std::string_view schemas = R"json("ApiLink": {
  "type": "object",
  "description": "Where a link leads. The prefix `api:` stands for the api root.",
  "required": ["_self"],
  "properties": {
    "_self": {"type": "string", "description": "Its metadata."},
    "displayName": {"type": "string", "description": "Its name for people; of an action."},
    "href": {"type": "string", "description": "The url to call."},
    "templated": {"type": "boolean", "description": "A {...} is left in href."},
    "method": {"type": "string", "enum": ["GET", "POST", "PUT", "DELETE"]}
  }
},
"ApiLinks": {
  "type": "object",
  "description": "Lists of links by their name.",
  "additionalProperties": {"type": "array", "items": {"$ref": "#/components/schemas/ApiLink"}}
},
"ApiLookup": {
  "description": "The key of another record; an object where $select names a path below it; null where there is none.",
  "anyOf": [
    {"type": "integer", "format": "int64"},
    {"$ref": "#/components/schemas/ApiRelated"},
    {"type": "null"}
  ]
},
"ApiRelated": {
  "type": "object",
  "description": "A related record, where $select names properties of it by a dotted path.",
  "required": ["_self", "_context"],
  "properties": {"_self": {"type": "string"}, "_context": {"type": "string"}},
  "additionalProperties": true
},
"ApiRecord": {
  "type": "object",
  "required": ["_self", "_context"],
  "properties": {
    "_self": {"type": "string", "readOnly": true, "description": "The record's own url."},
    "_context": {"type": "string", "readOnly": true, "description": "The metadata of its entity."},
    "_links": {"$ref": "#/components/schemas/ApiLinks", "readOnly": true},
    "_actions": {"$ref": "#/components/schemas/ApiLinks", "readOnly": true,
      "description": "What this session may do with it now. Rows of a search have none."}
  }
},
"ApiPageLinks": {
  "type": "object",
  "properties": {
    "Next": {
      "type": "array",
      "description": "Where there are more rows.",
      "items": {
        "type": "object",
        "required": ["_self"],
        "properties": {"_self": {"type": "string", "description": "The url of the next page."}}
      }
    }
  }
},
"ApiGroups": {
  "type": "object",
  "required": ["results", "_self"],
  "properties": {
    "results": {
      "type": "array",
      "items": {
        "type": "object",
        "required": ["__count"],
        "description": "The values that make the group, and what $aggregate names.",
        "properties": {"__count": {"type": "integer", "format": "int64", "description": "How many rows it has."}},
        "additionalProperties": true
      }
    },
    "_self": {"type": "string"},
    "__count": {"type": "integer", "format": "int64", "description": "All groups, with $inlinecount=true."},
    "_links": {"$ref": "#/components/schemas/ApiPageLinks"}
  }
},
"ApiBatch": {
  "type": "object",
  "required": ["Records"],
  "properties": {
    "Records": {
      "type": "array",
      "minItems": 1,
      "maxItems": 1000,
      "items": {
        "type": "object",
        "description": "Properties of the record. With its key it is updated, without one it is made.",
        "properties": {"_ifMatch": {"type": "string", "description": "The ETag that it must have."}},
        "additionalProperties": true
      }
    },
    "Atomic": {"type": "boolean", "default": true, "description": "All or none; else each has a transaction of its own."}
  },
  "additionalProperties": false
},
"ApiBatchAnswer": {
  "type": "object",
  "required": ["results", "Succeeded", "Failed"],
  "properties": {
    "_self": {"type": "string"},
    "Succeeded": {"type": "integer", "format": "int32"},
    "Failed": {"type": "integer", "format": "int32"},
    "results": {
      "type": "array",
      "description": "One for each record, in the order of the request.",
      "items": {
        "type": "object",
        "required": ["Status"],
        "properties": {
          "Status": {"type": "integer", "format": "int32"},
          "_self": {"type": "string"},
          "Replayed": {"type": "boolean", "description": "It was made by an earlier request of this Idempotency-Key."},
          "Error": {"$ref": "#/components/schemas/ApiError"}
        },
        "additionalProperties": true
      }
    }
  }
},
"ApiReference": {
  "type": "object",
  "description": "What a change of a record answers where there is no record to show.",
  "required": ["_self", "_context"],
  "properties": {"_self": {"type": "string"}, "_context": {"type": "string"}}
},
"ApiProperty": {
  "type": "object",
  "required": ["name", "displayName", "type", "displayTypes", "dataType", "class", "description", "usage"],
  "properties": {
    "name": {"type": "string"},
    "displayName": {"type": "string"},
    "type": {"type": "string", "description": "As dataType; of a lookup the entity that it leads to."},
    "displayTypes": {"type": "array", "items": {"type": "string"}},
    "dataType": {"type": "string"},
    "class": {"type": "string", "enum": ["Field", "Lookup", "Computed", "Extension"]},
    "description": {"type": "string"},
    "usage": {"type": "string", "enum": ["Public", "Internal"]},
    "isKey": {"type": "boolean"},
    "noSearch": {"type": "boolean"},
    "defaultValue": {"description": "What a new record has unless it is given."},
    "length": {"type": "integer"},
    "uppercase": {"type": "boolean"},
    "readOnly": {"type": "boolean"},
    "choices": {"type": "array", "items": {"type": "string"}, "description": "The texts that it takes."}
  }
},
"ApiMetadata": {
  "type": "object",
  "required": ["description", "_self", "_links"],
  "properties": {
    "name": {"type": "string"},
    "description": {"type": "string"},
    "status": {"type": "string", "enum": ["Alpha", "Beta", "GA"]},
    "children": {"type": "array", "items": {"$ref": "#/components/schemas/ApiLink"}},
    "properties": {"type": "array", "items": {"$ref": "#/components/schemas/ApiProperty"}},
    "augmenters": {"type": "array", "items": {
      "type": "object",
      "required": ["name", "kind", "description"],
      "properties": {
        "name": {"type": "string"},
        "kind": {"type": "string", "enum": ["Condition", "Function", "Token", "Extension"]},
        "description": {"type": "string"},
        "returns": {"type": "string", "description": "A data type."},
        "parameters": {"type": "array", "items": {
          "type": "object",
          "required": ["name", "dataType"],
          "properties": {"name": {"type": "string"}, "dataType": {"type": "string"}}
        }}
      }
    }},
    "displayName": {"type": "string"},
    "summary": {"type": "array", "items": {"type": "string"}, "description": "What a search shows without $select."},
    "label": {"type": "string", "description": "The property by which people know a record."},
    "stateProperty": {"type": "string", "description": "What holds its state."},
    "states": {"type": "array", "items": {
      "type": "object",
      "required": ["name", "value", "groups", "initial", "final"],
      "properties": {
        "name": {"type": "string"},
        "description": {"type": "string"},
        "value": {"type": "integer"},
        "groups": {"type": "array", "items": {"type": "string"}},
        "initial": {"type": "boolean"},
        "final": {"type": "boolean"}
      }
    }},
    "_self": {"type": "string"},
    "_context": {"type": "string"},
    "_links": {"$ref": "#/components/schemas/ApiLinks"},
    "_actions": {"$ref": "#/components/schemas/ApiLinks"},
    "_embedded": {
      "type": "object", "description": "Metadata of the lists below a record. Only with $expand.",
      "additionalProperties": {"$ref": "#/components/schemas/ApiMetadata"}
    }
  }
},
"ApiError": {
  "type": "object",
  "description": "Why a request was refused. Rely on the status and on SubStatus.",
  "required": ["Message", "Type", "SubStatus"],
  "properties": {
    "Message": {"type": "string"},
    "Type": {"type": "string"},
    "SubStatus": {"type": "string", "enum": ["None", "ResourceNotFound", "RecordNotFound", "LinkedRecordNotFound",
      "NotSupported", "NotImplemented", "NotAllowed"]},
    "Position": {"type": "integer", "description": "The column in the query option, from 1."},
    "Option": {"type": "string",
      "description": "The query option at fault; If-Match where the record has changed since it was read."},
    "Found": {"type": "string"},
    "Expected": {"type": "array", "items": {"type": "string"}},
    "Suggestion": {"type": "string"},
    "Errors": {"type": "array", "items": {
      "type": "object",
      "required": ["Property", "Message"],
      "properties": {"Property": {"type": "string"}, "Message": {"type": "string"}}
    }}
  }
},
"OauthToken": {
  "type": "object",
  "required": ["access_token", "token_type", "expires_in", "refresh_token", "scope"],
  "properties": {
    "access_token": {"type": "string"},
    "token_type": {"type": "string", "const": "Bearer"},
    "expires_in": {"type": "integer", "description": "Seconds until the access token expires."},
    "refresh_token": {"type": "string", "description": "Good for one use."},
    "scope": {"type": "string"}
  }
},
"OauthError": {
  "type": "object",
  "required": ["error"],
  "properties": {"error": {"type": "string"}, "error_description": {"type": "string"}}
},
"OauthLoginForm": {
  "type": "object",
  "required": ["grant_type"],
  "properties": {
    "grant_type": {"type": "string", "enum": ["password", "refresh_token", "authorization_code", "client_credentials"]},
    "client_id": {"type": "string", "description": "Here or by HTTP Basic."},
    "client_secret": {"type": "string"},
    "scope": {"type": "string", "enum": ["session-type:Analyst", "session-type:User"]},
    "username": {"type": "string"},
    "password": {"type": "string", "format": "password"},
    "refresh_token": {"type": "string"},
    "code": {"type": "string"},
    "redirect_uri": {"type": "string"},
    "code_verifier": {"type": "string"}
  }
},
"OauthTokenForm": {
  "type": "object",
  "required": ["token"],
  "properties": {"token": {"type": "string", "minLength": 1, "description": "The refresh token."}}
},
"OauthRevokeForm": {
  "type": "object",
  "required": ["token"],
  "properties": {
    "token": {"type": "string", "description": "An access or refresh token."},
    "client_id": {"type": "string"},
    "client_secret": {"type": "string"}
  }
},
"OauthDone": {"type": "object"}
)json";

}  // namespace callisto::api::openapi_texts
