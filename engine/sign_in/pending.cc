#include "engine/sign_in/pending.h"

#include "engine/base/base64.h"
#include "engine/base/hmac.h"

#include <charconv>

namespace callisto::sign_in {

namespace {

constexpr std::int64_t lifetime_ms = 3'600'000;
constexpr std::size_t seal_length = 43;  // 256 bits in base64url

}  // namespace

std::string PendingRequests::seal_of(std::string_view payload, std::string_view browser_key) const {
  std::string message = "pending request\n";
  message += browser_key;  // of one length, so the parts cannot be moved against each other
  message += '\n';
  message += payload;
  return encode_base64(hmac_sha256(key_, message), Base64::Url);
}

// <seal>.<last moment in ms>.<query>
std::string PendingRequests::seal(const Parameters& parameters, std::string_view browser_key) const {
  const std::string payload = std::to_string(clock_.now().ms + lifetime_ms) + "." + to_query(parameters);
  return seal_of(payload, browser_key) + "." + payload;
}

std::optional<PendingRequests::Opened> PendingRequests::open(std::string_view sealed,
                                                             std::string_view browser_key) const {
  if (browser_key.empty() || sealed.size() <= seal_length || sealed[seal_length] != '.') return std::nullopt;
  const std::string_view payload = sealed.substr(seal_length + 1);
  if (!equal_in_constant_time(sealed.substr(0, seal_length), seal_of(payload, browser_key))) return std::nullopt;
  std::int64_t until = 0;
  const std::size_t dot = payload.find('.');
  std::from_chars(payload.data(), payload.data() + dot, until);  // ours: nobody else could have sealed it
  auto parameters = read_parameters(payload.substr(dot + 1));
  if (!parameters) return std::nullopt;
  const std::int64_t left = until - clock_.now().ms;  // more than an hour: sealed by a clock that was ahead
  return Opened{*std::move(parameters), left < 0 || left > lifetime_ms};
}

}  // namespace callisto::sign_in
