#include "engine/oidc/tokens/algorithms.h"

#include "engine/base/base64.h"
#include "engine/oidc/openssl_handles.h"

#include <algorithm>
#include <array>

namespace callisto::oidc {

namespace {

constexpr const EVP_MD* (*own_digest)() = nullptr;

constexpr std::array<AlgorithmFacts, 10> all{{
    {Algorithm::RS256, "RS256", KeyType::RSA, EVP_sha256, false, 0},
    {Algorithm::RS384, "RS384", KeyType::RSA, EVP_sha384, false, 0},
    {Algorithm::RS512, "RS512", KeyType::RSA, EVP_sha512, false, 0},
    {Algorithm::PS256, "PS256", KeyType::RSA, EVP_sha256, true, 0},
    {Algorithm::PS384, "PS384", KeyType::RSA, EVP_sha384, true, 0},
    {Algorithm::PS512, "PS512", KeyType::RSA, EVP_sha512, true, 0},
    {Algorithm::ES256, "ES256", KeyType::P256, EVP_sha256, false, 32},
    {Algorithm::ES384, "ES384", KeyType::P384, EVP_sha384, false, 48},
    {Algorithm::ES512, "ES512", KeyType::P521, EVP_sha512, false, 66},
    {Algorithm::EdDSA, "EdDSA", KeyType::Ed25519, own_digest, false, 0},
}};

}  // namespace

const AlgorithmFacts& facts_of(Algorithm algorithm) { return all[static_cast<std::size_t>(algorithm)]; }

const char* name(Algorithm algorithm) { return facts_of(algorithm).name; }

std::optional<Algorithm> algorithm_of(std::string_view name) {
  if (name == "Ed25519") return Algorithm::EdDSA;  // RFC 9864 2.2 calls it so
  const auto* const found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
  return found == all.end() ? std::nullopt : std::optional(found->algorithm);
}

const std::string& algorithm_names() {
  static const std::string names = [] {
    std::string text;
    for (const AlgorithmFacts& each : all) text += (text.empty() ? "" : ", ") + std::string(each.name);
    return text;
  }();
  return names;
}

std::string half_hash(Algorithm algorithm, std::string_view text) {
  const ErrorQueueCleaner cleaner;
  const auto digest = facts_of(algorithm).digest;
  std::string hash(EVP_MAX_MD_SIZE, '\0');
  unsigned int size = 0;
  if (EVP_Digest(text.data(), text.size(), octets(hash.data()), &size, digest ? digest() : EVP_sha512(), nullptr) != 1)
    return {};
  return encode_base64(std::string_view(hash).substr(0, size / 2), Base64::Url);
}

}  // namespace callisto::oidc
