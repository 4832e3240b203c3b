#include "engine/api/requests/repeat_key.h"

#include "engine/auth/token.h"

#include <string>

namespace callisto::api {

namespace {

constexpr std::size_t repeat_key_limit = 200;

std::string digest_of(const Call& call, std::string_view sent) {
  return auth::stored(auth::digest_of(std::string(call.request.raw_path).append("\n").append(sent)));
}

}  // namespace

bool asks_for_once(const Call& call) { return !call.request.header("Idempotency-Key").empty(); }

Result<std::optional<records::RepeatKey>> repeat_key(const Call& call, std::string_view sent) {
  const std::string_view key = call.request.header("Idempotency-Key");
  if (key.empty()) return std::optional<records::RepeatKey>();
  if (key.size() > repeat_key_limit)
    return bad_format("Idempotency-Key: at most " + std::to_string(repeat_key_limit) + " characters.");
  if (call.options.rates) CALLISTO_CHECK(call.options.rates->take_repeat_key(call.session));
  return std::optional(records::RepeatKey{std::string(key), digest_of(call, sent)});
}

void tell_repeated(const Call& call) { call.response.headers.emplace_back("Idempotent-Replayed", "true"); }

}  // namespace callisto::api
