#include "engine/testing/local_request.h"

#include "engine/base/text.h"

namespace callisto::testing {

namespace {

std::string encoded(std::string_view target) {
  constexpr char hex[] = "0123456789ABCDEF";
  std::string text;
  for (const char each : target) {
    const auto byte = static_cast<unsigned char>(each);
    if (byte > 0x20 && byte < 0x7f && std::string_view("\"<>\\^`{|}").find(each) == std::string_view::npos)
      text += each;
    else text.append({'%', hex[byte >> 4], hex[byte & 15]});
  }
  return text;
}

}  // namespace

LocalRequest::LocalRequest(std::string given_method, std::string_view target, Headers headers, std::string body)
    : method_(std::move(given_method)), target_(encoded(target)), headers_(std::move(headers)), body_(std::move(body)) {
  const std::string_view whole = target_;
  const std::size_t query = whole.find('?');
  head = method_ == "HEAD";
  method = head ? std::string_view("GET") : std::string_view(method_);
  raw_path = whole.substr(0, query);
  if (query != whole.npos) raw_query = whole.substr(query + 1);
  remote_address = "127.0.0.1";
}

std::string_view LocalRequest::header(std::string_view any_case_name) const {
  for (const auto& [name, value] : headers_)
    if (text::equals_ignoring_ascii_case(name, any_case_name)) return value;
  return {};
}

std::size_t LocalRequest::header_count(std::string_view any_case_name) const {
  std::size_t count = 0;
  for (const auto& [name, value] : headers_) count += text::equals_ignoring_ascii_case(name, any_case_name) ? 1 : 0;
  return count;
}

Result<std::string> LocalRequest::body(std::size_t limit) {
  if (body_.size() > limit) return payload_too_large("The body has more than " + std::to_string(limit) + " bytes.");
  return body_;
}

Result<void> LocalRequest::read_body(std::size_t limit, const http::BodySink& sink) {
  CALLISTO_TRY(const std::string whole, body(limit));
  return sink(whole);
}

}  // namespace callisto::testing
