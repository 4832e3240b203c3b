#include "engine/api/openapi_shared.h"

namespace callisto::api::openapi_texts {

// Specification 2.3, 2.6, 7; decisions.md 3.1, 5, 6.1.
const std::string_view schemas = R"json("api.Link": {
  "type": "object",
  "description": "Where a link leads. The prefix `api:` stands for the api root.",
  "required": ["_self"],
  "properties": {
    "_self": {"type": "string", "description": "Its metadata."},
    "href": {"type": "string", "description": "The url to call."},
    "templated": {"type": "boolean", "description": "A {...} is left in href."},
    "method": {"type": "string", "enum": ["GET", "POST", "PUT", "DELETE"]}
  }
},
"api.Links": {
  "type": "object",
  "description": "Lists of links by their name.",
  "additionalProperties": {"type": "array", "items": {"$ref": "#/components/schemas/api.Link"}}
},
"api.Related": {
  "type": "object",
  "description": "A related record, where $select names properties of it by a dotted path.",
  "required": ["_self", "_context"],
  "properties": {"_self": {"type": "string"}, "_context": {"type": "string"}},
  "additionalProperties": true
},
"api.Record": {
  "type": "object",
  "required": ["_self", "_context"],
  "properties": {
    "_self": {"type": "string", "readOnly": true, "description": "The record's own url."},
    "_context": {"type": "string", "readOnly": true, "description": "The metadata of its entity."},
    "_links": {"$ref": "#/components/schemas/api.Links", "readOnly": true},
    "_actions": {"$ref": "#/components/schemas/api.Links", "readOnly": true,
      "description": "What this session may do with it now. Rows of a search have none."}
  }
},
"api.Reference": {
  "type": "object",
  "description": "What a change of a record answers where there is no record to show.",
  "required": ["_self", "_context"],
  "properties": {"_self": {"type": "string"}, "_context": {"type": "string"}}
},
"api.File": {
  "type": "object",
  "required": ["Name", "BinaryData"],
  "properties": {
    "Name": {"type": "string", "examples": ["print.txt"]},
    "ContentType": {"type": "string", "examples": ["text/plain"]},
    "BinaryData": {"type": "string", "contentEncoding": "base64"}
  }
},
"api.Property": {
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
    "uppercase": {"type": "boolean"}
  }
},
"api.Metadata": {
  "type": "object",
  "required": ["description", "_self", "_links"],
  "properties": {
    "name": {"type": "string"},
    "description": {"type": "string"},
    "status": {"type": "string", "enum": ["Alpha", "Beta", "GA"]},
    "children": {"type": "array", "items": {"$ref": "#/components/schemas/api.Link"}},
    "properties": {"type": "array", "items": {"$ref": "#/components/schemas/api.Property"}},
    "augmenters": {"type": "array", "items": {
      "type": "object",
      "required": ["name", "kind", "description"],
      "properties": {
        "name": {"type": "string"},
        "kind": {"type": "string", "enum": ["Condition", "Function", "Token", "Extension"]},
        "description": {"type": "string"}
      }
    }},
    "_self": {"type": "string"},
    "_context": {"type": "string"},
    "_links": {"$ref": "#/components/schemas/api.Links"},
    "_actions": {"$ref": "#/components/schemas/api.Links"}
  }
},
"api.Error": {
  "type": "object",
  "description": "Why a request was refused. Rely on the status and on SubStatus.",
  "required": ["Message", "Type", "SubStatus"],
  "properties": {
    "Message": {"type": "string"},
    "Type": {"type": "string"},
    "SubStatus": {"type": "string", "enum": ["None", "ResourceNotFound", "RecordNotFound", "LinkedRecordNotFound",
      "NotSupported", "NotImplemented", "NotAllowed"]},
    "Position": {"type": "integer", "description": "The column in the query option, from 1."},
    "Option": {"type": "string"},
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
"oauth.Token": {
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
"oauth.Error": {
  "type": "object",
  "required": ["error"],
  "properties": {"error": {"type": "string"}, "error_description": {"type": "string"}}
},
"oauth.Login": {
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
"oauth.TokenOnly": {
  "type": "object",
  "required": ["token"],
  "properties": {"token": {"type": "string", "description": "The refresh token."}}
},
"oauth.Done": {"type": "object"}
)json";

// Specification 4.3; decisions.md 1.4, 2.13.
const std::string_view parameters = R"json("id": {
  "name": "id", "in": "path", "required": true, "description": "The record's key.",
  "schema": {"type": "integer", "format": "int64"}, "example": 7
},
"ref": {
  "name": "ref", "in": "path", "required": true, "description": "The key of the record below it.",
  "schema": {"type": "integer", "format": "int64"}, "example": 3
},
"top": {
  "name": "$top", "in": "query", "description": "At most so many rows.",
  "schema": {"type": "integer", "format": "int32", "minimum": 1, "default": 100}, "example": 30
},
"skip": {
  "name": "$skip", "in": "query", "description": "So many rows are passed over.",
  "schema": {"type": "integer", "format": "int32", "minimum": 0, "default": 0}, "example": 30
},
"after": {
  "name": "$after", "in": "query", "description": "Where the page begins: a part of the url in _links.Next, never made by hand.",
  "schema": {"type": "string"}
},
"orderby": {
  "name": "$orderby", "in": "query", "description": "Properties with commas between, each with asc or desc.",
  "schema": {"type": "string"}, "example": "Ref desc"
},
"count": {
  "name": "$count", "in": "query", "description": "Answers the number of rows alone, as text/plain.",
  "schema": {"type": "boolean", "default": false}
},
"inlinecount": {
  "name": "$inlinecount", "in": "query", "description": "Adds the number of all rows, __count.",
  "schema": {"type": "boolean", "default": false}
},
"select": {
  "name": "$select", "in": "query",
  "description": "Properties with commas between: paths with dots, @Extensions, * for all.",
  "schema": {"type": "string"}, "example": "Ref"
},
"filter": {
  "name": "$filter", "in": "query",
  "description": "A predicate in the manner of C#: == != < > <= >= in (a, b) not in (a, b) && || ! .Contains(\"\") .StartsWith(\"\") .EndsWith(\"\") @Augmenters; of lists below a record: history.Any(...) .All(...) .Count(...) > 3.",
  "schema": {"type": "string"}, "example": "Ref >= 7 && Ref < 20"
},
"leftJoin": {
  "name": "$leftJoin", "in": "query", "description": "Alias:Entity(TargetProperty==SourceProperty && ...); may be repeated.",
  "schema": {"type": "array", "items": {"type": "string"}}
},
"innerJoin": {
  "name": "$innerJoin", "in": "query", "description": "As $leftJoin; rows without a match are left out.",
  "schema": {"type": "array", "items": {"type": "string"}}
},
"partition": {
  "name": "$partition", "in": "query", "description": "Rows of this partition alone, where the entity is partitioned.",
  "schema": {"type": "integer", "format": "int64"}
},
"ifMatch": {
  "name": "If-Match", "in": "header", "description": "An ETag: the change is refused where the record is another by now.",
  "schema": {"type": "string"}
},
"ifNoneMatch": {
  "name": "If-None-Match", "in": "header", "description": "An ETag: 304 where nothing changed since.",
  "schema": {"type": "string"}
},
"idempotencyKey": {
  "name": "Idempotency-Key", "in": "header", "description": "A repeated request with the same key is answered and not done again.",
  "schema": {"type": "string", "maxLength": 200}
}
)json";

const std::string_view responses = R"json("NotModified": {"description": "It is as the ETag of If-None-Match says."},
"BadRequest": {
  "description": "A query option, the body, a value or the record's state does not allow it.",
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/api.Error"}, "example": {
    "Message": "Description: is mandatory", "Type": "ValidationException", "SubStatus": "None",
    "Errors": [{"Property": "Description", "Message": "is mandatory"}]
  }}}
},
"Unauthorized": {
  "description": "No access token, or one that is unknown or expired: refresh it.",
  "headers": {"WWW-Authenticate": {"schema": {"type": "string"}}},
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/api.Error"}, "example": {
    "Message": "The access token has expired.", "Type": "AuthenticationException", "SubStatus": "None"
  }}}
},
"Forbidden": {
  "description": "This session has no right to it.",
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/api.Error"}, "example": {
    "Message": "This session may not do that.", "Type": "UnauthorizedAccessException", "SubStatus": "NotAllowed"
  }}}
},
"NotFound": {
  "description": "No such record, or none that this session sees.",
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/api.Error"}, "example": {
    "Message": "There is no such record.", "Type": "RecordNotFoundException", "SubStatus": "RecordNotFound"
  }}}
},
"NotSupported": {
  "description": "This record does not support it.",
  "headers": {"Allow": {"schema": {"type": "string"}}},
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/api.Error"}}}
},
"TooLarge": {
  "description": "The body is larger than the server takes.",
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/api.Error"}}}
},
"UnsupportedMediaType": {
  "description": "A body of this type is not understood.",
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/api.Error"}}}
},
"ServerError": {
  "description": "A script failed, or the server did; the Message has a number that its log has too.",
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/api.Error"}}}
},
"Unavailable": {
  "description": "Over capacity: try again after Retry-After.",
  "headers": {"Retry-After": {"schema": {"type": "integer"}}},
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/api.Error"}}}
},
"SignInRefused": {
  "description": "Refused; the words are vague on purpose.",
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/oauth.Error"},
    "example": {"error": "invalid_grant"}}}
}
)json";

const std::string_view login = R"json("post": {
  "operationId": "oauth.login", "tags": ["Sign in"], "summary": "Get tokens",
  "description": "The token endpoint of OAuth 2.0 (RFC 6749).",
  "security": [],
  "requestBody": {"required": true, "content": {"application/x-www-form-urlencoded": {
    "schema": {"$ref": "#/components/schemas/oauth.Login"},
    "example": {"grant_type": "password", "client_id": "sample-app", "username": "analyst", "password": "callisto",
      "scope": "session-type:Analyst"}
  }}},
  "responses": {
    "200": {"description": "Tokens", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/oauth.Token"}}}},
    "400": {"$ref": "#/components/responses/SignInRefused"},
    "401": {"$ref": "#/components/responses/SignInRefused"},
    "415": {"$ref": "#/components/responses/SignInRefused"},
    "429": {"$ref": "#/components/responses/SignInRefused"}
  }
})json";

// Specification 7.3.
const std::string_view logout = R"json("post": {
  "operationId": "oauth.logout", "tags": ["Sign in"], "summary": "End the session",
  "description": "The refresh token is good for nothing from then on, and the session holds no licence any more.",
  "security": [{"bearer": []}],
  "requestBody": {"required": true, "content": {"application/x-www-form-urlencoded": {
    "schema": {"$ref": "#/components/schemas/oauth.TokenOnly"}}}},
  "responses": {
    "200": {"description": "Logged out", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/oauth.Done"}}}},
    "400": {"$ref": "#/components/responses/SignInRefused"},
    "401": {"$ref": "#/components/responses/SignInRefused"},
    "403": {"$ref": "#/components/responses/SignInRefused"},
    "404": {"$ref": "#/components/responses/SignInRefused"}
  }
})json";

const std::string_view revoke = R"json("post": {
  "operationId": "oauth.revoke", "tags": ["Sign in"], "summary": "Revoke a token",
  "description": "For standard clients (RFC 7009). An unknown token is no error.",
  "security": [],
  "requestBody": {"required": true, "content": {"application/x-www-form-urlencoded": {
    "schema": {"allOf": [{"$ref": "#/components/schemas/oauth.TokenOnly"}, {"type": "object", "properties": {
      "client_id": {"type": "string"}, "client_secret": {"type": "string"}}}]}}}},
  "responses": {
    "200": {"description": "It is gone", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/oauth.Done"}}}},
    "400": {"$ref": "#/components/responses/SignInRefused"},
    "401": {"$ref": "#/components/responses/SignInRefused"}
  }
})json";

}  // namespace callisto::api::openapi_texts
