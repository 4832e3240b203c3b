#include "tests/support/identity_provider.h"

#include "engine/base/base64.h"
#include "engine/base/sha256.h"

#include <stdexcept>

namespace callisto::testing {

namespace {

using namespace callisto::oidc;

FetchAnswer json_answer(int status, std::string body) { return {status, "application/json", std::move(body)}; }

std::string decoded(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
    i += 2;
  }
  return out;
}

// Members of `over` win; an empty text takes a member away.
RawMembers merged(RawMembers members, const RawMembers& over) {
  for (const auto& [name, text] : over)
    if (text.empty()) members.erase(name);
    else members[name] = text;
  return members;
}

}  // namespace

std::string quote(const std::string& text) { return '"' + text + '"'; }

std::string object(const RawMembers& members, const std::string& tail) {
  std::string out;
  for (const auto& [name, text] : members) out += (out.empty() ? "" : ",") + quote(name) + ':' + text;
  return '{' + out + tail + '}';
}

std::map<std::string, std::string> fields_of(const std::string& form) {
  std::map<std::string, std::string> fields;
  std::size_t start = 0;
  while (start < form.size()) {
    const std::size_t end = std::min(form.find('&', start), form.size());
    const std::size_t equals = form.find('=', start);
    fields[decoded(form.substr(start, equals - start))] = decoded(form.substr(equals + 1, end - equals - 1));
    start = end + 1;
  }
  return fields;
}

IdentityProvider::IdentityProvider(const Clock& clock, std::string issuer) : clock_(clock) {
  discovery = {{"issuer", quote(issuer)},
               {"authorization_endpoint", quote(issuer + "/authorize")},
               {"token_endpoint", quote(issuer + "/token")},
               {"jwks_uri", quote(issuer + "/keys")},
               {"response_types_supported", R"(["code","id_token"])"},
               {"id_token_signing_alg_values_supported", R"(["RS256","ES256"])"}};
  claims["iss"] = quote(issuer);
  keys = SigningKey::rsa().jwk("r1", R"(,"use":"sig","alg":"RS256")") + ',' + SigningKey::ec().jwk("e1");
}

CallbackParameters IdentityProvider::authorize(const std::string& url) {
  const auto fields = fields_of(url.substr(url.find('?') + 1));
  const std::lock_guard lock(mutex_);
  const std::string code = "code+/" + std::to_string(++codes_);
  grants_[code] = {fields.at("nonce"), fields.at("code_challenge"), fields.at("redirect_uri")};
  secrets_.insert(secrets_.end(), {code, fields.at("nonce"), fields.at("state")});
  CallbackParameters callback{{"code", code}, {"state", fields.at("state")}};
  if (discovery.count("authorization_response_iss_parameter_supported"))
    callback["iss"] = discovery["issuer"].substr(1, discovery["issuer"].size() - 2);
  return callback;
}

Result<FetchAnswer> IdentityProvider::fetch(const FetchRequest& request) {
  for (const auto& [end, what] : unreachable)
    if (request.url.ends_with(end)) {
      answer(request);  // for the count
      return internal(what);
    }
  return answer(request);
}

FetchAnswer IdentityProvider::answer(const FetchRequest& request) {
  const std::lock_guard lock(mutex_);
  requests_.push_back(request);
  for (const auto& [end, other] : instead)
    if (request.url.ends_with(end)) return other;
  if (request.url.ends_with("/.well-known/openid-configuration")) return json_answer(200, object(discovery));
  if (request.url.ends_with("/keys")) return json_answer(200, R"({"keys":[)" + keys + "]}");
  if (request.url.ends_with("/token") && request.form) return redeem(request);
  if (request.url.ends_with("/userinfo")) return tell_user(request);
  return json_answer(404, "{}");
}

FetchAnswer IdentityProvider::tell_user(const FetchRequest& request) {
  if (request.bearer != "at-1" || request.form) return json_answer(401, "{}");
  if (signs_user_info) return {200, "application/jwt; charset=utf-8", signed_token(object(user_info))};
  return json_answer(200, object(user_info));
}

bool IdentityProvider::knows_client(const FetchRequest& request, const std::map<std::string, std::string>& form) const {
  if (!request.user.empty())
    return decoded(request.user) == client_id && decoded(request.password) == client_secret && !form.count("client_id");
  const auto secret = form.find("client_secret");
  return form.at("client_id") == client_id && (secret == form.end() ? "" : secret->second) == client_secret;
}

FetchAnswer IdentityProvider::redeem(const FetchRequest& request) {
  const auto form = fields_of(*request.form);
  secret_in_basic = !request.user.empty();
  secret_in_form = form.count("client_secret") > 0;
  if (!knows_client(request, form)) return json_answer(401, R"({"error":"invalid_client"})");
  const auto grant = grants_.find(form.at("code"));
  if (form.at("grant_type") != "authorization_code" || grant == grants_.end() ||
      grant->second.redirect_uri != form.at("redirect_uri") ||
      grant->second.challenge != encode_base64(view(sha256(form.at("code_verifier"))), Base64::Url))
    return json_answer(400, R"({"error":"invalid_grant","error_description":"<b>no</b>"})");
  const std::string token = id_token(grant->second);
  grants_.erase(grant);
  secrets_.insert(secrets_.end(), {token, form.at("code_verifier"), client_secret});
  const RawMembers all = merged(
      {{"access_token", quote("at-1")}, {"token_type", quote("Bearer")}, {"id_token", quote(token)}}, token_answer);
  return json_answer(200, object(all));
}

std::string IdentityProvider::id_token(const Grant& grant) {
  const auto now = clock_.now().ms / 1000;
  const RawMembers own{{"sub", quote("s-1")},
                       {"aud", quote(client_id)},
                       {"exp", std::to_string(now + 300)},
                       {"iat", std::to_string(now)},
                       {"nonce", quote(grant.nonce)},
                       {"preferred_username", quote("ada")},
                       {"email", quote("ada@example.org")},
                       {"email_verified", "true"},
                       {"name", quote("Ada Lovelace")}};
  return signed_token(object(merged(own, claims), claims_tail));
}

std::string IdentityProvider::signed_token(const std::string& payload) {
  const bool is_es256 = algorithm == Algorithm::ES256;
  const RawMembers head{{"alg", quote(name(algorithm))}, {"kid", quote(is_es256 ? "e1" : "r1")}, {"typ", quote("JWT")}};
  const std::string text =
      encode_base64(object(merged(head, header), header_tail), Base64::Url) + '.' + encode_base64(payload, Base64::Url);
  const std::string signature = sign ? sign(text) : SigningKey::of(algorithm).sign(text, algorithm);
  return alter_token(text + '.' + encode_base64(signature, Base64::Url));
}

int IdentityProvider::count(const std::string& end_of_url) const {
  const std::lock_guard lock(mutex_);
  int found = 0;
  for (const FetchRequest& request : requests_) found += request.url.ends_with(end_of_url);
  return found;
}

std::vector<std::string> IdentityProvider::secrets() const {
  const std::lock_guard lock(mutex_);
  return secrets_;
}

}  // namespace callisto::testing
