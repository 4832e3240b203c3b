// Any bytes as a request's head: split leniently, in place, leaving gaps as CivetWeb does, then judged by the validator
// and the layout check. Whatever both let through must be written in exactly one way, which is put together again here.
#include "engine/http/framing/layout.h"
#include "engine/http/framing/validator.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using callisto::http::Framing;
using callisto::http::Head;
using callisto::http::Header;

void require(bool holds) {
  if (!holds) std::abort();
}

// A parser with the leniences that API rule 5.3 knows of.
class Splitter {
 public:
  explicit Splitter(std::string& bytes) : bytes_(bytes) {}

  bool split(std::vector<Header>& headers, Head& head) {
    if (!word(head.method) || !word(head.target)) return false;
    const std::size_t question = head.target.find('?');
    if (question != std::string_view::npos) {
      head.query = head.target.substr(question + 1);
      head.target = head.target.substr(0, question);
    }
    std::string_view version;
    if (!line(version) || !version.starts_with("HTTP/")) return false;
    head.version = version.substr(5);
    while (headers.size() < 64 && header(headers)) {}
    head.headers = headers;
    return ends_by_empty_line();
  }

 private:
  bool word(std::string_view& out) {
    const std::size_t end = bytes_.find(' ', at_);
    if (end == std::string::npos) return false;
    out = std::string_view(bytes_).substr(at_, end - at_);
    at_ = end;
    while (at_ < bytes_.size() && bytes_[at_] == ' ') bytes_[at_++] = '\0';
    return true;
  }

  bool line(std::string_view& out) {
    const std::size_t end = bytes_.find_first_of("\r\n", at_);
    if (end == std::string::npos) return false;
    out = std::string_view(bytes_).substr(at_, end - at_);
    at_ = end;
    if (bytes_[at_] == '\r') bytes_[at_++] = '\0';
    if (at_ >= bytes_.size() || bytes_[at_] != '\n') return false;
    bytes_[at_++] = '\0';
    return true;
  }

  bool header(std::vector<Header>& headers) {
    const std::size_t colon = bytes_.find_first_of(":\r\n", at_);
    if (colon == std::string::npos || colon == at_ || bytes_[colon] != ':') return false;
    std::size_t name_end = colon;
    while (name_end > at_ && bytes_[name_end - 1] == ' ') bytes_[--name_end] = '\0';
    const std::string_view name = std::string_view(bytes_).substr(at_, name_end - at_);
    bytes_[colon] = '\0';
    at_ = colon + 1;
    while (at_ < bytes_.size() && (bytes_[at_] == ' ' || bytes_[at_] == '\t')) ++at_;
    std::string_view value;
    if (!line(value)) return false;
    headers.push_back({name, value});
    return true;
  }

  // Wherever reading stopped, an empty line further on ends the head.
  bool ends_by_empty_line() {
    const std::size_t end = bytes_.find("\r\n", at_);
    if (end == std::string::npos) return false;
    bytes_[end + 1] = '\0';
    return true;
  }

  std::string& bytes_;
  std::size_t at_ = 0;
};

// The one strict spelling of the head, but for blanks behind colons, which `sent` decides.
void check_spelling(const std::string& sent, const Head& head) {
  std::string strict(head.method);
  strict += ' ';
  strict += head.target;
  if (head.query.data()) strict.append("?").append(head.query);
  strict.append(" HTTP/").append(head.version).append("\r\n");
  for (const Header& header : head.headers) {
    strict.append(header.name).append(":");
    while (strict.size() < sent.size() && (sent[strict.size()] == ' ' || sent[strict.size()] == '\t'))
      strict += sent[strict.size()];
    strict.append(header.value).append("\r\n");
  }
  strict += "\r\n";
  require(sent.compare(0, strict.size(), strict) == 0);
}

void check_framing(const Head& head, const Framing& framing) {
  const auto count = [&head](std::string_view name) {
    return std::count_if(head.headers.begin(), head.headers.end(), [name](const Header& header) {
      return std::equal(name.begin(), name.end(), header.name.begin(), header.name.end(),
                        [](char a, char b) { return a == b || (b >= 'A' && b <= 'Z' && a == b + ('a' - 'A')); });
    });
  };
  require(count("host") == 1);
  require(count("content-length") + count("transfer-encoding") <= 1);
  require(count("authorization") <= 1);
  require(framing.chunked == (count("transfer-encoding") == 1));
  require(!(framing.chunked && framing.keep_alive));
  require(framing.path.starts_with('/'));
  require(framing.path.find("%00") == std::string_view::npos);
  require(head.headers.size() <= callisto::http::max_headers);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string sent(reinterpret_cast<const char*>(data), size);
  std::string parsed = sent;
  std::vector<Header> headers;
  Head head;
  if (!Splitter(parsed).split(headers, head)) return 0;
  const auto framing = callisto::http::validate(head);
  if (!framing) {
    const int status = framing.error().status;
    require(status == 400 || status == 413 || status == 414 || status == 431 || status == 505);
    return 0;
  }
  check_framing(head, *framing);
  // CivetWeb refuses a head with a NUL before it splits anything; every NUL that the layout check sees is CivetWeb's
  // own.
  if (sent.find('\0') != std::string::npos) return 0;
  if (callisto::http::is_laid_out_strictly(head, parsed.data() + parsed.size())) check_spelling(sent, head);
  return 0;
}
