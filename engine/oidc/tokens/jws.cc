#include "engine/oidc/tokens/jws.h"

#include "engine/base/base64.h"
#include "engine/base/text.h"
#include "engine/oidc/openssl_handles.h"
#include "engine/oidc/refusal.h"

#include <vector>

namespace callisto::oidc {

namespace {

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
  const auto known = algorithm_of(algorithm);
  if (!known)
    return wrong("it is signed with " + text::quoted(algorithm) + "; let the provider sign with one of " +
                 algorithm_names());
  token.algorithm = *known;
  // RFC 8725 3.11 asks for explicit types so that no other kind of token, "at+jwt" say, passes for this one.
  const json::Node* type = header.find("typ");
  if (type && !text::equals_ignoring_ascii_case(type->text(), "JWT"))
    return wrong("its header's 'typ' is " + text::quoted(type->text()) + " instead of 'JWT'");
  CALLISTO_TRY(token.key_id, header_text(header, "kid"));
  return {};
}

// RFC 7518 3.4: the signature is r and s as octet sequences of the same length; OpenSSL wants them in DER.
std::string der_of(const std::string& raw) {
  const auto half = static_cast<int>(raw.size() / 2);
  const EcdsaSignature signature(ECDSA_SIG_new());
  Number r(BN_bin2bn(octets(raw.data()), half, nullptr));
  Number s(BN_bin2bn(octets(raw.data()) + half, half, nullptr));
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

bool fits(const AlgorithmFacts& facts, EVP_PKEY& key, std::string_view signed_part, std::string_view signature) {
  const Digester digester(EVP_MD_CTX_new());
  EVP_PKEY_CTX* context = nullptr;  // the digester's own
  if (!digester ||
      EVP_DigestVerifyInit(digester.get(), &context, facts.digest ? facts.digest() : nullptr, nullptr, &key) != 1)
    return false;
  // RFC 7518 3.5: "The size of the salt value is the same size as the hash function output", MGF1 with the same hash.
  if (facts.is_pss && (EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) != 1 ||
                       EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) != 1))
    return false;
  return EVP_DigestVerify(digester.get(), octets(signature.data()), signature.size(), octets(signed_part.data()),
                          signed_part.size()) == 1;
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
  const AlgorithmFacts& facts = facts_of(token.algorithm);
  if (!key.key) return not_accepted(place + " is unusable: " + key.flaw);
  if (!serves(key, token.algorithm)) return wrong(place + " is not for " + facts.name);
  std::string signature = token.signature;
  if (facts.half_bytes > 0) {
    if (signature.size() != 2 * facts.half_bytes)
      return wrong("its " + std::string(facts.name) + " signature is not " + std::to_string(2 * facts.half_bytes) +
                   " bytes");
    signature = der_of(signature);
  } else if (signature.size() != static_cast<std::size_t>(EVP_PKEY_get_size(key.key.get()))) {
    // RFC 8017 8.1.2: "If the length of the signature S is not k octets", it is invalid; OpenSSL takes one that lacks
    // its leading zeros.
    return wrong("its signature does not fit " + place + ": it has " + std::to_string(signature.size()) + " bytes");
  }
  if (!fits(facts, *key.key, token.signed_part, signature)) return wrong("its signature does not fit " + place);
  return {};
}

}  // namespace callisto::oidc
