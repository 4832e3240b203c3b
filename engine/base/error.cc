#include "engine/base/error.h"

namespace callisto {

const char* name(SubStatus status) {
  switch (status) {
    case SubStatus::None:
      return "None";
    case SubStatus::ResourceNotFound:
      return "ResourceNotFound";
    case SubStatus::RecordNotFound:
      return "RecordNotFound";
    case SubStatus::LinkedRecordNotFound:
      return "LinkedRecordNotFound";
    case SubStatus::NotSupported:
      return "NotSupported";
    case SubStatus::NotImplemented:
      return "NotImplemented";
    case SubStatus::NotAllowed:
      return "NotAllowed";
  }
  return "None";
}

namespace {

Error make(int status, SubStatus sub_status, const char* type, std::string message) {
  Error error;
  error.status = status;
  error.sub_status = sub_status;
  error.type = type;
  error.message = std::move(message);
  return error;
}

}  // namespace

Error resource_not_found(std::string message) {
  return make(404, SubStatus::ResourceNotFound, "ResourceNotFoundException", std::move(message));
}

Error record_not_found(std::string message) {
  return make(404, SubStatus::RecordNotFound, "RecordNotFoundException", std::move(message));
}

Error linked_record_not_found(int status, std::string message) {
  return make(status, SubStatus::LinkedRecordNotFound, "LinkedRecordNotFoundException", std::move(message));
}

Error bad_query(std::string message, Diagnostic diagnostic) {
  Error error = make(400, SubStatus::None, "QueryException", std::move(message));
  error.diagnostic = std::move(diagnostic);
  return error;
}

Error bad_option(std::string option, std::string message, std::string suggestion) {
  return bad_query(std::move(message), Diagnostic{std::move(option), 0, {}, {}, std::move(suggestion)});
}

Error bad_format(std::string message) { return make(400, SubStatus::None, "FormatException", std::move(message)); }

Error validation_failed(std::string message, std::vector<PropertyError> errors) {
  Error error = make(400, SubStatus::None, "ValidationException", std::move(message));
  error.errors = std::move(errors);
  return error;
}

Error invalid_state(std::string message) {
  return make(400, SubStatus::NotAllowed, "InvalidStateException", std::move(message));
}

Error not_authenticated(std::string message) {
  Error error = make(401, SubStatus::None, "AuthenticationException", std::move(message));
  error.headers.emplace_back("WWW-Authenticate", "Bearer");
  return error;
}

Error forbidden(std::string message) {
  return make(403, SubStatus::NotAllowed, "UnauthorizedAccessException", std::move(message));
}

Error method_not_allowed(std::string message, std::string allow) {
  Error error = make(405, SubStatus::NotAllowed, "MethodNotAllowedException", std::move(message));
  error.headers.emplace_back("Allow", std::move(allow));
  return error;
}

Error not_supported(std::string message, std::string allow) {
  Error error = make(405, SubStatus::NotSupported, "NotSupportedException", std::move(message));
  error.headers.emplace_back("Allow", std::move(allow));
  return error;
}

Error unsupported_media_type(std::string message) {
  return make(415, SubStatus::NotSupported, "UnsupportedMediaTypeException", std::move(message));
}

Error payload_too_large(std::string message) {
  return make(413, SubStatus::None, "FormatException", std::move(message));
}

Error range_not_satisfiable(std::size_t bytes) {
  Error error = make(416, SubStatus::None, "FormatException",
                     "Range: there are " + std::to_string(bytes) + " bytes, counted from 0.");
  error.headers = {{"Accept-Ranges", "bytes"}, {"Content-Range", "bytes */" + std::to_string(bytes)}};
  return error;
}

Error too_many_requests(std::string message, int retry_after_seconds) {
  Error error = make(429, SubStatus::None, "Exception", std::move(message));
  error.headers.emplace_back("Retry-After", std::to_string(retry_after_seconds));
  return error;
}

Error unavailable(std::string message, int retry_after_seconds) {
  Error error = make(503, SubStatus::None, "Exception", std::move(message));
  error.headers.emplace_back("Retry-After", std::to_string(retry_after_seconds));
  return error;
}

Error script_failed(std::string reference, std::string log_detail) {
  Error error = make(500, SubStatus::None, "ScriptException",
                     "A script of this server failed. Quote reference " + reference + " to its administrator.");
  error.log_detail = std::move(reference) + ": " + std::move(log_detail);
  return error;
}

Error internal(std::string log_detail) {
  Error error = make(500, SubStatus::None, "Exception", "The server could not complete this request.");
  error.log_detail = std::move(log_detail);
  return error;
}

}  // namespace callisto
