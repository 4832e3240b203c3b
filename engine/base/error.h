// Error: what a client may see (status, SubStatus, Type, Message, diagnostics) and, apart from it, what only the log
// may show. Made by the named functions below, one for each row of API rule 5.1; never built by hand elsewhere. A plain
// value; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace callisto {

enum class SubStatus {
  None,
  ResourceNotFound,
  RecordNotFound,
  LinkedRecordNotFound,
  NotSupported,
  NotImplemented,
  NotAllowed
};

const char* name(SubStatus status);

// Where a query text went wrong, for machines. `position` is a 1-based column in characters of the decoded text of
// `option` ("$filter"); 0 when no single place is at fault.
struct Diagnostic {
  std::string option;
  std::size_t position = 0;
  std::string found;
  std::vector<std::string> expected;
  std::string suggestion;
};

struct PropertyError {
  std::string property;
  std::string message;
};

struct Error {
  int status = 500;
  SubStatus sub_status = SubStatus::None;
  std::string type = "Exception";
  std::string message;     // for the client: no SQL, no paths, no secrets
  std::string log_detail;  // for the log alone
  std::optional<Diagnostic> diagnostic;
  std::vector<PropertyError> errors;                         // every problem of one body
  std::vector<std::pair<std::string, std::string>> headers;  // Allow, Retry-After, WWW-Authenticate

  // For whoever decides by the kind of an error, so that nobody below the API compares numbers.
  bool is_refusal() const { return status == 400; }      // what was asked is wrong, or not allowed in this state
  bool is_forbidden() const { return status == 403; }    // by rights
  bool is_unavailable() const { return status == 503; }  // it may go well later: the database is busy or away
  bool is_of_server() const { return status >= 500; }    // nothing is wrong with what was asked
};

Error resource_not_found(std::string message);
Error record_not_found(std::string message);
Error linked_record_not_found(int status, std::string message);
Error bad_query(std::string message, Diagnostic diagnostic);
Error bad_option(std::string option, std::string message, std::string suggestion = {});
Error bad_format(std::string message);
Error validation_failed(std::string message, std::vector<PropertyError> errors);
Error invalid_state(std::string message);
Error not_authenticated(std::string message);
Error forbidden(std::string message);
Error method_not_allowed(std::string message, std::string allow);
Error not_supported(std::string message, std::string allow);
Error unsupported_media_type(std::string message);
Error payload_too_large(std::string message);
Error range_not_satisfiable(std::size_t bytes);  // of all there are; with Content-Range (RFC 9110 15.5.17)
Error too_many_requests(std::string message, int retry_after_seconds);
Error unavailable(std::string message, int retry_after_seconds);
Error script_failed(std::string reference, std::string log_detail);
Error internal(std::string log_detail);

}  // namespace callisto
