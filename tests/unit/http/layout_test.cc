// Buffers as CivetWeb leaves them: what ended a piece is overwritten by '\0' (written '~' here).
#include "engine/http/framing/layout.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace callisto::http;

namespace {

class Parsed {
 public:
  explicit Parsed(std::string buffer) : buffer_(std::move(buffer)) {
    std::replace(buffer_.begin(), buffer_.end(), '~', '\0');
  }
  bool strict() const {
    const Head head{piece("GET"), piece("/a"), {}, piece("1.1"), headers_};
    return is_laid_out_strictly(head, buffer_.data() + buffer_.size());
  }
  Parsed& header(std::string_view name, std::string_view value) {
    const std::string_view named = piece(name);
    const std::size_t at = buffer_.find(value, static_cast<std::size_t>(named.data() - buffer_.data()) + name.size());
    headers_.push_back({named, std::string_view(buffer_).substr(at, value.size())});
    return *this;
  }

 private:
  std::string_view piece(std::string_view text) const {
    return std::string_view(buffer_).substr(buffer_.find(text), text.size());
  }
  std::string buffer_;
  std::vector<Header> headers_;
};

bool strict(const char* buffer) { return Parsed(buffer).header("Host", "h").header("X", "y").strict(); }

}  // namespace

TEST_CASE("a head without anything between its pieces passes", "[http][layout]") {
  CHECK(strict("GET~/a~HTTP/1.1~~Host~h~~X~y~~\r~"));
  CHECK(strict("GET~/a~HTTP/1.1~~Host~   h~~X~ y~~\r~"));
}

TEST_CASE("a head without headers ends behind its first line", "[http][layout]") {
  CHECK(Parsed("GET~/a~HTTP/1.1~~~~").strict());
  CHECK(Parsed("GET~/a~HTTP/1.1~~~~body").strict());
  for (const char* buffer : {"GET~/a~HTTP/1.1~~body", "GET~/a~HTTP/1.1~~~body", "GET~/a~HTTP/1.1~~\r~",
                             "GET~/a~HTTP/1.1~~~", "GET~/a~HTTP/1.1~~X: y\r\n\r~", "GET~/a~HTTP/1.1~~ ~~\r~"}) {
    INFO(buffer);
    CHECK_FALSE(Parsed(buffer).strict());
  }
}

TEST_CASE("whatever was passed over between the pieces shows", "[http][layout]") {
  CHECK_FALSE(strict("GET~~/a~HTTP/1.1~~Host~h~~X~y~~\r~"));  // two blanks
  CHECK_FALSE(strict("GET~/a~~HTTP/1.1~~Host~h~~X~y~~\r~"));
  CHECK_FALSE(strict("GET~/a~HTTP/1.1~Host~h~~X~y~~\r~"));  // a bare line feed
  CHECK_FALSE(strict("GET~/a~HTTP/1.1~~Host~h~X~y~~\r~"));
  CHECK_FALSE(strict("GET~/a~HTTP/1.1~~Host~~ h~~X~y~~\r~"));  // a blank before the colon
  CHECK_FALSE(strict("GET~/a~HTTP/1.1~~Host~h~~ folded\r\nX~y~~\r~"));
}

TEST_CASE("a line at which reading stopped shows behind the last header", "[http][layout]") {
  CHECK_FALSE(strict("GET~/a~HTTP/1.1~~Host~h~~X~y~~ folded\r\n\r~"));
  CHECK_FALSE(strict("GET~/a~HTTP/1.1~~Host~h~~X~y~~: empty\r\n\r~"));
  CHECK_FALSE(strict("GET~/a~HTTP/1.1~~Host~h~~X~y~~\rZ"));
  CHECK_FALSE(strict("GET~/a~HTTP/1.1~~Host~h~~X~y~a\r~"));
  CHECK_FALSE(strict("GET~/a~HTTP/1.1~~Host~h~~X~y~~"));  // ended by two bare line feeds
}
