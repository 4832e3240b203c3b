#include "engine/oidc/tokens/claims.h"

#include "engine/base/hmac.h"
#include "engine/base/text.h"
#include "engine/oidc/refusal.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace callisto::oidc {

namespace {

constexpr double leeway_seconds = 60;
constexpr double oldest_seconds = 600;  // a token is asked for at once, within a sign-in's ten minutes
constexpr std::size_t longest_subject = 255;

using Kind = json::Node::Kind;

Error wrong(std::string why) { return not_accepted("The provider's claims are wrong: " + std::move(why)); }

// RFC 7519 2, NumericDate: seconds since 1970, "non-integer values can be represented". Nothing: no number.
std::optional<double> seconds_of(const json::Node& claims, std::string_view name) {
  const json::Node* found = claims.find(name);
  if (!found || found->kind() != Kind::Number) return std::nullopt;
  const char* const end = found->text().data() + found->text().size();
  double seconds = 0;
  const auto [at, error] = std::from_chars(found->text().data(), end, seconds);
  if (error != std::errc() || at != end) return std::nullopt;
  return seconds;
}

Result<void> check_times(const json::Node& claims, DateTime now) {
  const double seconds = static_cast<double>(now.ms) / 1000;
  const auto expiry = seconds_of(claims, "exp");
  const auto issued = seconds_of(claims, "iat");
  const auto not_before = seconds_of(claims, "nbf");
  if (!expiry || !issued) return wrong("'exp' or 'iat' is missing or no number");
  if (claims.find("nbf") && !not_before) return wrong("'nbf' is no number");
  const std::string hint = "; compare the clocks of this machine and the provider";
  // RFC 7519 4.1.4: "the current date/time MUST be before the expiration date/time".
  if (seconds >= *expiry + leeway_seconds) return wrong("it has expired" + hint);
  // RFC 7519 4.1.5: "the current date/time MUST be after or equal to the not-before date/time".
  if (not_before && seconds + leeway_seconds < *not_before) return wrong("it is not yet valid" + hint);
  if (seconds + leeway_seconds < *issued) return wrong("'iat' lies in the future" + hint);
  // Core 3.1.3.7: "The iat Claim can be used to reject tokens that were issued too far away from the current time".
  if (seconds > *issued + oldest_seconds + leeway_seconds) return wrong("'iat' lies too far back" + hint);
  return {};
}

Result<void> check_hash(const json::Node& claims, Algorithm algorithm, const std::string& access_token) {
  const json::Node* hash = claims.find("at_hash");
  if (!hash) return {};
  const std::string expected = half_hash(algorithm, access_token);
  if (access_token.empty() || hash->kind() != Kind::String || !equal_in_constant_time(hash->text(), expected))
    return wrong("'at_hash' does not fit the access token");
  return {};
}

}  // namespace

Result<void> check_audience(const json::Node& claims, const std::string& client_id) {
  const json::Node* audience = claims.find("aud");
  if (!audience) return wrong("'aud' is missing");
  const auto is_us = [&](const json::Node& one) { return one.kind() == Kind::String && one.text() == client_id; };
  // Core 3.1.3.7: "The ID Token MUST be rejected if the ID Token does not list the Client as a valid audience".
  if (!is_us(*audience) && std::none_of(audience->items().begin(), audience->items().end(), is_us))
    return wrong("'aud' does not name this client, " + text::quoted(client_id) + "; compare oidc.client_id");
  const json::Node* party = claims.find("azp");
  if (!party && audience->items().size() > 1) return wrong("'aud' names several, and 'azp' is missing");
  // "If an azp (authorized party) Claim is present, the Client SHOULD verify that its client_id is the Claim Value."
  if (party && !is_us(*party)) return wrong("'azp' names another client: " + text::quoted(party->text()));
  return {};
}

bool lacks_login(const json::Node& claims, const std::string& login_claim) {
  if (login_claim.empty()) return false;
  return json::string_of(claims, login_claim).empty() || (login_claim == "email" && !claims.find("email_verified"));
}

bool lacks_any(const json::Node& claims, const std::vector<std::string>& wanted) {
  return std::any_of(wanted.begin(), wanted.end(), [&](const std::string& name) { return !claims.find(name); });
}

Result<json::Node> pick_claims(const json::Node& token, const json::Node* user_info,
                               const std::vector<std::string>& wanted) {
  std::vector<json::Member> picked{{"iss", *token.find("iss")}, {"sub", *token.find("sub")}};
  for (const std::string& name : wanted) {
    const json::Node* found = token.find(name);
    if (!found && user_info) found = user_info->find(name);
    if (found && name != "iss" && name != "sub") picked.push_back({name, *found});
    for (const json::Node* each : {&token, user_info}) {
      const json::Node* elsewhere = each ? each->find("_claim_names") : nullptr;
      // Core 5.6.2: "_claim_names ... member names are the Claim Names for the Aggregated and Distributed Claims".
      if (!found && elsewhere && elsewhere->find(name))
        return wrong(
            text::quoted(name) +
            " is not told, only that it can be asked for elsewhere (_claim_names), which is "
            "what Entra does for people in more than 200 groups; let the provider send only the groups that are "
            "assigned to this client, or its roles, in this claim");
    }
  }
  return json::Node(std::move(picked));
}

Result<void> take_claims(const json::Node& claims, const std::string& login_claim, Identity& identity) {
  if (const std::string email = json::string_of(claims, "email"); !email.empty()) {
    identity.email = email;
    const json::Node* verified = claims.find("email_verified");
    identity.email_verified = verified && verified->boolean();
  }
  if (const std::string name = json::string_of(claims, "name"); !name.empty()) identity.name = name;
  if (login_claim.empty()) return {};
  identity.login_name = json::string_of(claims, login_claim);
  if (identity.login_name.empty())
    return wrong(text::quoted(login_claim) +
                 " is missing; let the provider send it, or set oidc.login_claim to another one");
  if (login_claim == "email" && !identity.email_verified)
    return wrong("'email' is the login name, and 'email_verified' is not true: anybody could claim that address");
  return {};
}

Result<Identity> check_claims(const json::Node& claims, const Expected& expected) {
  Identity identity;
  identity.issuer = json::string_of(claims, "iss");
  // Core 3.1.3.7: "The Issuer Identifier ... MUST exactly match the value of the iss (issuer) Claim".
  if (identity.issuer != expected.issuer)
    return wrong("'iss' is " + text::quoted(identity.issuer, 200) + " instead of the issuer configured");
  CALLISTO_CHECK(check_audience(claims, expected.client_id));
  CALLISTO_CHECK(check_times(claims, expected.now));
  // "a nonce Claim MUST be present and its value checked to verify that it is the same value as the one that was sent".
  if (expected.nonce.empty() || !equal_in_constant_time(json::string_of(claims, "nonce"), expected.nonce))
    return wrong("'nonce' is not the one that was sent");
  CALLISTO_CHECK(check_hash(claims, expected.algorithm, expected.access_token));
  identity.subject = json::string_of(claims, "sub");
  if (identity.subject.empty() || identity.subject.size() > longest_subject)
    return wrong("'sub' is missing, empty or longer than 255 characters");
  return identity;
}

}  // namespace callisto::oidc
