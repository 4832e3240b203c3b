// Fetcher: the network through which an identity provider is asked; tests have their own. The real one,
// make_curl_fetcher, follows no redirect, speaks only http and https, checks certificates against the system's store,
// and ends an answer that exceeds its limits of bytes (headers and body) or time. It asks loopback addresses itself,
// and all others through the proxy, if one is given. Its Errors say what failed, never what was sent. The caller owns
// it; any thread, many at once.
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace callisto::oidc {

constexpr std::size_t most_answer_bytes = 256 * 1024;
constexpr long most_answer_ms = 10'000;

struct FetchRequest {
  std::string url;
  std::optional<std::string> form;  // to POST, already encoded; nothing: GET
  std::string user, password;       // HTTP Basic, as they stand; an empty user: none
  std::string bearer = {};          // an access token (RFC 6750 2.1); empty: none
};

struct FetchAnswer {
  int status = 0;
  std::string content_type;  // as sent; empty: none
  std::string body;
};

class Fetcher {
 public:
  virtual ~Fetcher() = default;
  virtual Result<FetchAnswer> fetch(const FetchRequest& request) = 0;
};

struct FetchOptions {
  std::size_t bytes = most_answer_bytes;
  long milliseconds = most_answer_ms;
  std::string proxy = {};  // as names_proxy() takes it; empty: the one of the environment's HTTPS_PROXY, if any
};
std::unique_ptr<Fetcher> make_curl_fetcher(FetchOptions options = {});

// The type without its parameters is that one.
bool has_type(const FetchAnswer& answer, std::string_view type);
// Whether an answer is what the Fetcher promises and JSON by its type; `what` names it in the Error.
Result<void> check_json_answer(const FetchAnswer& answer, const std::string& what);
// The body of a 200 with JSON in it.
Result<std::string> fetch_json(Fetcher& fetcher, const std::string& url, const std::string& what);

}  // namespace callisto::oidc
