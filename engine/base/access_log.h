// The access log: one line per request, at level info, in the log of log.h and in its order. Lines are gathered for a
// fifth of a second, or until another message comes, so that a request costs no system call. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace callisto::log {

struct AccessLine {
  std::string_view method, path;
  std::string_view options;  // names of the query, without their values
  int status = 0;
  std::int64_t microseconds = 0;
  std::size_t bytes = 0;  // of the body
  std::optional<std::int64_t> person;
  std::string_view client;
  std::string_view address;
  std::string_view request_id;
  std::string_view trace;  // of a distributed trace, where that is another; empty: none
};

void write(const AccessLine& line);
void flush();

// While it lives, what this thread writes to the log ends with the request's id, which outlives it. They do not nest.
class InRequest {
 public:
  explicit InRequest(std::string_view id);
  ~InRequest();
  InRequest(const InRequest&) = delete;
  InRequest& operator=(const InRequest&) = delete;
};

}  // namespace callisto::log
