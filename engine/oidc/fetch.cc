#include "engine/oidc/fetch.h"

#include "engine/base/text.h"
#include "engine/oidc/refusal.h"

namespace callisto::oidc {

namespace {

bool is_json(const FetchAnswer& answer) {
  return has_type(answer, "application/json") || has_type(answer, "application/jwk-set+json");  // RFC 7517 8.5.2
}

}  // namespace

bool has_type(const FetchAnswer& answer, std::string_view type) {
  const std::string_view sent = answer.content_type;
  return text::equals_ignoring_ascii_case(text::trim(sent.substr(0, sent.find(';'))), type);
}

Result<void> check_json_answer(const FetchAnswer& answer, const std::string& what) {
  if (answer.status >= 300 && answer.status < 400)
    return unreachable(what + " redirects (HTTP " + std::to_string(answer.status) +
                       "), which is not followed; configure the issuer as its own discovery document spells it");
  if (answer.body.size() > most_answer_bytes)
    return unreachable(what + " is longer than " + std::to_string(most_answer_bytes) + " bytes");
  if (!is_json(answer))
    return unreachable(what + " is HTTP " + std::to_string(answer.status) + " of type " +
                       text::quoted(answer.content_type) + " instead of application/json");
  return {};
}

Result<std::string> fetch_json(Fetcher& fetcher, const std::string& url, const std::string& what) {
  const std::string place = what + " at " + url;
  auto answer = fetcher.fetch({url, std::nullopt, {}, {}});
  if (!answer) return unreachable(place + " cannot be fetched: " + answer.error().log_detail);
  if (answer->status >= 400) return unreachable(place + " answers HTTP " + std::to_string(answer->status));
  CALLISTO_CHECK(check_json_answer(*answer, place));
  if (answer->status != 200) return unreachable(place + " answers HTTP " + std::to_string(answer->status));
  return std::move(answer->body);
}

}  // namespace callisto::oidc
