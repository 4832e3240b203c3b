#include "engine/api/openapi/shared.h"

#include "engine/json/read.h"

namespace callisto::api::openapi_texts {

// API rules 1.4, 2.3, 2.13.
const std::string_view parameters = R"json("PathId": {
  "name": "id", "in": "path", "required": true, "description": "The record's key.",
  "schema": {"type": "integer", "format": "int64"}, "example": 1
},
"PathRef": {
  "name": "ref", "in": "path", "required": true, "description": "The key of the record below it.",
  "schema": {"type": "integer", "format": "int64"}, "example": 1
},
"QueryTop": {
  "name": "$top", "in": "query", "description": "At most so many rows.",
  "schema": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 2147483647, "default": 100}
},
"QuerySkip": {
  "name": "$skip", "in": "query", "description": "So many rows are passed over.",
  "schema": {"type": "integer", "format": "int32", "minimum": 0, "maximum": 2147483647, "default": 0}
},
"QueryAfter": {
  "name": "$after", "in": "query", "description": "Where the page begins: a part of the url in _links.Next, never made by hand.",
  "schema": {"type": "string"}
},
"QueryOrderby": {
  "name": "$orderby", "in": "query", "description": "Properties with commas between, each with asc or desc: Ref desc.",
  "schema": {"type": "string", "minLength": 1}
},
"QueryInlinecount": {
  "name": "$inlinecount", "in": "query", "description": "Adds the number of all rows, __count.",
  "schema": {"type": "boolean", "default": false}
},
"QuerySelect": {
  "name": "$select", "in": "query",
  "description": "Properties with commas between: paths with dots, @Extensions, * for all.",
  "schema": {"type": "string", "minLength": 1}
},
"QueryExpand": {
  "name": "$expand", "in": "query",
  "description": "Lists below the record, in _embedded; their options in parentheses with semicolons between: history($select=Date,Analyst.Name;$top=30),attachment. * is all lists.",
  "schema": {"type": "string", "minLength": 1}
},
"QueryFilter": {
  "name": "$filter", "in": "query",
  "description": "A predicate in the manner of C#: == != < > <= >= in (a, b) not in (a, b) && || ! .Contains(\"\") .StartsWith(\"\") .EndsWith(\"\") @Augmenters; of lists below a record: history.Any(...) .All(...) .Count(...) > 3. For example Ref >= 7 && Ref < 20.",
  "schema": {"type": "string", "minLength": 1}
},
"QueryGroupby": {
  "name": "$groupby", "in": "query",
  "description": "Paths with commas between: rows that have the same values are one group. Without it all rows are.",
  "schema": {"type": "string", "minLength": 1}
},
"QueryAggregate": {
  "name": "$aggregate", "in": "query",
  "description": "count, sum, avg, min or max of a path, each with its name, and commas between: max(LoggedDate) as Last.",
  "schema": {"type": "string", "minLength": 1}
},
"QueryLeftJoin": {
  "name": "$leftJoin", "in": "query", "description": "Alias:Entity(TargetProperty==SourceProperty && ...); may be repeated.",
  "schema": {"type": "array", "items": {"type": "string", "minLength": 1}}
},
"QueryInnerJoin": {
  "name": "$innerJoin", "in": "query", "description": "As $leftJoin; rows without a match are left out.",
  "schema": {"type": "array", "items": {"type": "string", "minLength": 1}}
},
"QueryPartition": {
  "name": "$partition", "in": "query", "description": "Rows of this partition alone, where the entity is partitioned.",
  "schema": {"type": "integer", "format": "int32", "minimum": 0, "maximum": 2147483647}
},
"HeaderIfMatch": {
  "name": "If-Match", "in": "header", "description": "An ETag: the change is refused where the record is another by now.",
  "schema": {"type": "string"}
},
"HeaderIfNoneMatch": {
  "name": "If-None-Match", "in": "header", "description": "An ETag: 304 where nothing changed since.",
  "schema": {"type": "string"}
},
"HeaderIdempotencyKey": {
  "name": "Idempotency-Key", "in": "header", "description": "A repeated request with the same key is answered and not done again.",
  "schema": {"type": "string", "minLength": 1, "maxLength": 200}
}
)json";

const std::string_view responses = R"json("NotModified": {"description": "It is as the ETag of If-None-Match says."},
"BadRequest": {
  "description": "A query option, the body, a value or the record's state does not allow it.",
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiError"}, "example": {
    "Message": "Description: is mandatory", "Type": "ValidationException", "SubStatus": "None",
    "Errors": [{"Property": "Description", "Message": "is mandatory"}]
  }}}
},
"Unauthorized": {
  "description": "No access token, or one that is unknown or expired: refresh it.",
  "headers": {"WWW-Authenticate": {"schema": {"type": "string"}}},
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiError"}, "example": {
    "Message": "The access token has expired.", "Type": "AuthenticationException", "SubStatus": "None"
  }}}
},
"Forbidden": {
  "description": "This session has no right to it.",
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiError"}, "example": {
    "Message": "This session may not do that.", "Type": "UnauthorizedAccessException", "SubStatus": "NotAllowed"
  }}}
},
"NotFound": {
  "description": "No such record, or none that this session sees.",
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiError"}, "example": {
    "Message": "There is no such record.", "Type": "RecordNotFoundException", "SubStatus": "RecordNotFound"
  }}}
},
"NotSupported": {
  "description": "This record does not support it.",
  "headers": {"Allow": {"schema": {"type": "string"}}},
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiError"}}}
},
"TooLarge": {
  "description": "The body is larger than the server takes.",
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiError"}}}
},
"UnsupportedMediaType": {
  "description": "A body of this type is not understood.",
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiError"}}}
},
"ServerError": {
  "description": "A script failed, or the server did; the Message has a number that its log has too.",
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiError"}}}
},
"SignInTooMany": {
  "description": "Too many attempts: try again after Retry-After.",
  "headers": {"Retry-After": {"schema": {"type": "integer"}}},
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OauthError"}}}
},
"TooManyRequests": {
  "description": "More than one session may ask for: try again after Retry-After.",
  "headers": {"Retry-After": {"schema": {"type": "integer"}}},
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiError"}}}
},
"Unavailable": {
  "description": "Over capacity: try again after Retry-After.",
  "headers": {"Retry-After": {"schema": {"type": "integer"}}},
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiError"}}}
},
"SignInRefused": {
  "description": "Refused; the words are vague on purpose.",
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OauthError"},
    "example": {"error": "invalid_grant"}}}
}
)json";

const std::vector<std::string>& names() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names(std::begin(security_schemes), std::end(security_schemes));
    for (const std::string_view members : {schemas, administration_schemas, parameters, responses}) {
      const auto parsed = json::parse("{" + std::string(members) + "}", {32, 100'000});
      if (!parsed) continue;  // a test reads the document
      for (const json::Member& member : parsed->members()) names.push_back(member.name);
    }
    return names;
  }();
  return all;
}

const std::vector<std::string>& operation_ids() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> ids(std::begin(operations), std::end(operations));
    const auto urls = json::parse("{" + std::string(administration) + "}", {32, 100'000});
    if (!urls) return ids;  // a test reads the document
    for (const json::Member& url : urls->members())
      for (const json::Member& method : url.value.members())
        ids.push_back(json::string_of(method.value, "operationId"));
    return ids;
  }();
  return all;
}

}  // namespace callisto::api::openapi_texts
