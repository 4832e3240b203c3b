#include "engine/oidc/tokens/jws.h"

#include "engine/base/base64.h"
#include "engine/base/text.h"
#include "engine/oidc/openssl_handles.h"
#include "engine/oidc/refusal.h"

#include <vector>

namespace callisto::oidc {

namespace {

constexpr std::size_t es256_bytes = 64;  // r and s, 32 bytes each

Error wrong(std::string why) { return not_accepted("The ID token is wrong: " + std::move(why)); }

Result<json::Node> object_of(std::string_view part, const std::string& what) {
  const auto text = decode_base64(part, Base64::Url);
  if (!text) return wrong("its " + what + " is no base64url");
  auto node = json::parse(*text);
  if (!node) return wrong("its " + what + ": " + node.error().message);
  if (node->kind() != json::Node::Kind::Object) return wrong("its " + what + " is no JSON object");
  return node;
}

Result<std::string> header_text(const json::Node& header, std::string_view member) {
  const json::Node* found = header.find(member);
  if (!found || found->kind() != json::Node::Kind::String || found->text().empty())
    return wrong("its header has no '" + std::string(member) + "'");
  return found->text();
}

Result<void> read_header(const json::Node& header, Jws& token) {
  // RFC 7515 4.1.11: "If any of the listed extension Header Parameters are not understood and supported by the
  // recipient, then the JWS is invalid"; we understand none.
  if (header.find("crit")) return wrong("its header has 'crit', an extension this program does not know");
  CALLISTO_TRY(const std::string algorithm, header_text(header, "alg"));
  if (algorithm != "RS256" && algorithm != "ES256")
    return wrong("it is signed with " + text::quoted(algorithm) + "; let the provider sign with RS256 or ES256");
  token.algorithm = algorithm == "RS256" ? Algorithm::RS256 : Algorithm::ES256;
  // RFC 8725 3.11 asks for explicit types so that no other kind of token, "at+jwt" say, passes for this one.
  const json::Node* type = header.find("typ");
  if (type && !text::equals_ignoring_ascii_case(type->text(), "JWT"))
    return wrong("its header's 'typ' is " + text::quoted(type->text()) + " instead of 'JWT'");
  CALLISTO_TRY(token.key_id, header_text(header, "kid"));
  return {};
}

// RFC 7518 3.4: the signature is r and s as "octet sequences ... each ... 32 octets long"; OpenSSL wants them in DER.
std::string der_of(const std::string& raw) {
  const EcdsaSignature signature(ECDSA_SIG_new());
  Number r(BN_bin2bn(octets(raw.data()), es256_bytes / 2, nullptr));
  Number s(BN_bin2bn(octets(raw.data()) + es256_bytes / 2, es256_bytes / 2, nullptr));
  if (!signature || !r || !s || ECDSA_SIG_set0(signature.get(), r.get(), s.get()) != 1) return {};
  static_cast<void>(r.release());  // the signature owns them now
  static_cast<void>(s.release());
  unsigned char* bytes = nullptr;
  const int size = i2d_ECDSA_SIG(signature.get(), &bytes);
  if (size <= 0) return {};
  std::string der(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  OPENSSL_free(bytes);
  return der;
}

}  // namespace

Result<Jws> read_jws(std::string_view token) {
  const auto parts = text::split(token, '.');
  if (parts.size() != 3) return wrong("it has not three parts");
  Jws jws;
  CALLISTO_TRY(const json::Node header, object_of(parts[0], "header"));
  CALLISTO_CHECK(read_header(header, jws));
  CALLISTO_TRY(jws.claims, object_of(parts[1], "payload"));
  auto signature = decode_base64(parts[2], Base64::Url);
  if (!signature) return wrong("its signature is no base64url");
  jws.signature = *std::move(signature);
  jws.signed_part = token.substr(0, parts[0].size() + 1 + parts[1].size());
  return jws;
}

Result<void> verify(const Jws& token, const Key& key) {
  const ErrorQueueCleaner cleaner;
  const std::string place = "the provider's key " + text::quoted(key.id);
  if (!key.key) return not_accepted(place + " is unusable: " + key.flaw);
  if (token.algorithm != key.algorithm) return wrong(place + " is not for " + name(token.algorithm));
  std::string signature = token.signature;
  if (token.algorithm == Algorithm::ES256) {
    if (signature.size() != es256_bytes) return wrong("its ES256 signature is not 64 bytes");
    signature = der_of(signature);
  }
  const Digester digester(EVP_MD_CTX_new());
  if (!digester || EVP_DigestVerifyInit(digester.get(), nullptr, EVP_sha256(), nullptr, key.key.get()) != 1 ||
      EVP_DigestVerify(digester.get(), octets(signature.data()), signature.size(), octets(token.signed_part.data()),
                       token.signed_part.size()) != 1)
    return wrong("its signature does not fit " + place);
  return {};
}

}  // namespace callisto::oidc
