#include "engine/http/base_path.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>

namespace {

using namespace callisto;
using namespace callisto::http;

class At final : public Request {
 public:
  explicit At(std::string_view path) { raw_path = path; }
  std::string_view header(std::string_view) const override { return {}; }
  std::size_t header_count(std::string_view) const override { return 0; }
  Result<std::string> body(std::size_t) override { return std::string(); }
  Result<void> read_body(std::size_t, const BodySink&) override { return {}; }
};

std::string taken(std::string_view path, std::string_view base) {
  At request(path);
  take_base_path(request, base, {"/service.api/api", "/service.web/oauth"});
  return std::string(request.raw_path);
}

}  // namespace

TEST_CASE("the path of a url is what follows its host", "[http][base_path]") {
  const std::pair<const char*, const char*> rows[] = {{"", ""},
                                                      {"https://desk.example", ""},
                                                      {"https://desk.example:8443", ""},
                                                      {"https://x.example/desk", "/desk"},
                                                      {"desk", ""},
                                                      {"http://[::1]:8080/a/b", "/a/b"}};
  for (const auto& [url, path] : rows) CHECK(path_of_url(url) == path);
}

TEST_CASE("a request arrives with the proxy's path or without it", "[http][base_path]") {
  struct Row {
    const char *path, *base, *expected;
  };
  const Row rows[] = {{"/desk/service.api/api/v1", "/desk", "/service.api/api/v1"},
                      {"/service.api/api/v1", "/desk", "/service.api/api/v1"},
                      {"/desk", "/desk", "/"},
                      {"/desk/", "/desk", "/"},
                      {"/desk/healthz", "/desk", "/healthz"},
                      {"/desk/.well-known/a", "/desk", "/.well-known/a"},
                      {"/.well-known/a/desk", "/desk", "/.well-known/a/desk"},
                      {"/desktop/a", "/desk", "/desktop/a"},
                      {"/Desk/a", "/desk", "/Desk/a"},
                      {"/desk/desk/a", "/desk", "/desk/a"},
                      {"/a/b/c", "/a/b", "/c"},
                      {"/a/c", "/a/b", "/a/c"},
                      {"/desk/a", "", "/desk/a"},
                      {"*", "/desk", "*"},
                      // A path like the API's own.
                      {"/service.api/api/v1", "/service.api", "/service.api/api/v1"},
                      {"/service.api/service.api/api/v1", "/service.api", "/service.api/api/v1"},
                      {"/service.web/oauth/login", "/service.web/oauth", "/service.web/oauth/login"},
                      {"/service.api/healthz", "/service.api", "/healthz"}};
  for (const Row& row : rows) {
    INFO(row.path << " below " << row.base);
    CHECK(taken(row.path, row.base) == row.expected);
  }
}
