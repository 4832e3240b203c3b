// A sign-in form: the first line is the Authorization header, the rest the body. What is read is there in the bytes,
// what is refused is refused as RFC 6749 5.2 says; credentials that a client writes as the standard says come back.
#include "engine/api/oauth/oauth_form.h"
#include "engine/auth/token.h"
#include "engine/base/base64.h"
#include "engine/base/percent.h"
#include "engine/base/text.h"
#include "engine/http/bearer.h"
#include "engine/http/framing/response_text.h"
#include "engine/json/read.h"
#include "engine/testing/local_request.h"
#include "tests/fuzz/require.h"

#include <cstdint>
#include <optional>
#include <string>

namespace {

using namespace callisto;

std::optional<auth::LoginRequest> read(const std::string& authorization, const std::string& body) {
  testing::LocalRequest request(
      "POST", "/login", {{"Authorization", authorization}, {"Content-Type", "application/x-www-form-urlencoded"}},
      body);
  http::Response response;
  std::optional<auth::LoginRequest> found;
  const auto keep = [&found](const auth::LoginRequest& form) -> Result<std::optional<auth::OAuthError>> {
    found = form;
    return std::optional<auth::OAuthError>();
  };
  api::answer_form(request, response, keep, "Bearer");
  require(http::is_sendable(response));
  if (found) return found;
  require(response.status == 400 || response.status == 413);
  const auto answer = json::parse(response.body);
  require(answer && answer->find("error") && answer->find("error")->text() == "invalid_request");
  return found;
}

// RFC 6749 2.3.1: "The client identifier is encoded using the "application/x-www-form-urlencoded" encoding algorithm".
void check_credentials(const std::string& id, const std::string& secret) {
  if (!text::is_utf8(id) || !text::is_utf8(secret) || (id + secret).find('\0') != std::string::npos) return;
  std::string pair;
  append_encoded(pair, id);
  pair += ':';
  append_encoded(pair, secret);
  const auto login = read("basic  " + encode_base64(pair, Base64::Padded) + " ", "");
  require(login && login->basic_id == id && login->basic_secret == secret);
  // Many clients forget to.
  if ((id + secret).find_first_of("%+") != std::string::npos || id.find(':') != std::string::npos) return;
  const auto same = read("Basic " + encode_base64(id + ":" + secret, Base64::Padded), "");
  require(same && same->basic_id == id && same->basic_secret == secret);
}

void check_token(std::string_view text) {
  using auth::TokenKind;
  const int kinds = auth::looks_like(TokenKind::Access, text) + auth::looks_like(TokenKind::Refresh, text) +
                    auth::looks_like(TokenKind::Code, text);
  require(kinds <= 1);
  // A token goes into headers, urls and logs' masks as it is.
  std::string encoded;
  append_encoded(encoded, text);
  if (kinds == 1) require(text.size() == 47 && encoded == text);
  const testing::LocalRequest request("GET", "/", {{"Authorization", "Bearer " + std::string(text)}}, "");
  require(http::bearer_of(request) == text::trim(text));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  const std::size_t line = std::min(input.find('\n'), size);
  const std::string first = input.substr(0, line), rest = line < size ? input.substr(line + 1) : std::string();
  if (const auto login = read(first, rest)) {
    for (const auto& [name, value] : login->fields) require(name.size() + value.size() <= rest.size());
    require(login->basic_id.value_or("").size() + login->basic_secret.value_or("").size() <= first.size());
  }
  check_credentials(first, rest);
  check_token(first);
  return 0;
}
