// A request that the server asks itself in the name of another one, whose headers it has but for some. It lives within
// the other's handler, on its thread.
#pragma once

#include "engine/http/message.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::http {

class InnerRequest : public Request {
 public:
  explicit InnerRequest(Request& outer) : Request(outer), outer_(outer) {}
  std::string_view header(std::string_view name) const final {
    const auto own = own_header(name);
    return own ? *own : outer_.header(name);
  }
  std::size_t header_count(std::string_view name) const final {
    const auto own = own_header(name);
    return own ? std::size_t{!own->empty()} : outer_.header_count(name);
  }
  std::vector<std::string_view> all_headers(std::string_view name) const final {
    return own_header(name) ? Request::all_headers(name) : outer_.all_headers(name);
  }
  Result<std::string> body(std::size_t limit) override { return outer_.body(limit); }
  Result<void> read_body(std::size_t limit, const BodySink& sink) override { return outer_.read_body(limit, sink); }

 private:
  // In place of the other's; empty: there is none. Nothing: as the other has it.
  virtual std::optional<std::string_view> own_header(std::string_view any_case_name) const = 0;

  Request& outer_;
};

}  // namespace callisto::http
