// A request without a socket. Its texts live as long as the request.
#pragma once

#include "engine/http/message.h"

#include <string>
#include <utility>
#include <vector>

namespace callisto::testing {

using Headers = std::vector<std::pair<std::string, std::string>>;

class LocalRequest final : public http::Request {
 public:
  // `target`: path and query; bytes that no url may hold are encoded.
  LocalRequest(std::string method, std::string_view target, Headers headers, std::string body);

  std::string_view header(std::string_view any_case_name) const override;
  std::size_t header_count(std::string_view any_case_name) const override;
  Result<std::string> body(std::size_t limit) override;
  Result<void> read_body(std::size_t limit, const http::BodySink& sink) override;

 private:
  std::string method_, target_;
  Headers headers_;
  std::string body_;
};

}  // namespace callisto::testing
