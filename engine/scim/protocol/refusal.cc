#include "engine/scim/protocol/refusal.h"

#include "engine/base/log.h"
#include "engine/json/write.h"
#include "engine/script/host.h"

namespace callisto::scim {

namespace {

constexpr std::string_view error_schema = "urn:ietf:params:scim:api:messages:2.0:Error";
constexpr std::string_view mark = "scim:";  // before the word, in Error::type

}  // namespace

Error refuse(int status, std::string_view scim_type, std::string detail) {
  Error error;
  error.status = status;
  error.type = std::string(mark) + std::string(scim_type);
  error.message = std::move(detail);
  return error;
}

Error as_scim(const Error& error) {
  if (error.type.starts_with(mark)) return error;
  if (script::is_mistake(error)) return refuse(400, "invalidValue", error.message);
  if (!error.is_refusal()) return error;
  Error told = refuse(400, "invalidValue", error.message);
  told.log_detail = error.log_detail;
  return told;
}

void render(const Error& error, http::Response& response) {
  if (!error.log_detail.empty()) log::error(error.log_detail);
  response.status = error.status;
  response.headers = error.headers;
  response.content_type = "application/scim+json; charset=utf-8";
  response.body.clear();
  json::Writer writer(response.body);
  writer.begin_object().key("schemas").begin_array().string(error_schema).end_array();
  writer.key("status").string(std::to_string(error.status));
  if (error.type.size() > mark.size() && error.type.starts_with(mark))
    writer.key("scimType").string(std::string_view(error.type).substr(mark.size()));
  writer.key("detail").string(error.message).end_object();
}

}  // namespace callisto::scim
