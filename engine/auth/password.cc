#include "engine/auth/password.h"

#include "engine/base/base64.h"
#include "engine/base/hmac.h"
#include "engine/base/normal_form.h"
#include "engine/base/text.h"

#include <openssl/evp.h>

#include <charconv>
#include <cstdint>
#include <new>
#include <system_error>

namespace callisto::auth {

namespace {

constexpr std::size_t salt_bytes = 16;
constexpr std::size_t hash_bytes = 32;
constexpr std::uint64_t memory_limit = 64ULL * 1024 * 1024;

// A stored hash decides how much work a login costs, so even the database is not trusted with more than this.
bool is_bearable(const ScryptCost& cost) {
  if (cost.log2_n < 1 || cost.log2_n > 20 || cost.r < 1 || cost.r > 32 || cost.p < 1 || cost.p > 16) return false;
  return (128ULL << cost.log2_n) * cost.r < memory_limit;
}

std::optional<unsigned> read_parameter(std::string_view text, std::string_view name) {
  if (!text.starts_with(name)) return std::nullopt;
  unsigned value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data() + name.size(), end, value);
  if (problem != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<ScryptCost> read_cost(std::string_view text) {
  const auto parts = text::split(text, ',');
  if (parts.size() != 3) return std::nullopt;
  const auto log2_n = read_parameter(parts[0], "ln=");
  const auto r = read_parameter(parts[1], "r=");
  const auto p = read_parameter(parts[2], "p=");
  if (!log2_n || !r || !p) return std::nullopt;
  const ScryptCost cost{*log2_n, *r, *p};
  if (!is_bearable(cost)) return std::nullopt;
  return cost;
}

}  // namespace

std::optional<std::string> scrypt(std::string_view password, std::string_view salt, const ScryptCost& cost,
                                  std::size_t length) {
  std::string key(length, '\0');
  const int done = EVP_PBE_scrypt(password.data() ? password.data() : "", password.size(),
                                  reinterpret_cast<const unsigned char*>(salt.data() ? salt.data() : ""), salt.size(),
                                  1ULL << cost.log2_n, cost.r, cost.p, 2 * memory_limit,
                                  reinterpret_cast<unsigned char*>(key.data()), key.size());
  if (done != 1) return std::nullopt;
  return key;
}

PasswordHash PasswordHash::make(std::string_view password, const ScryptCost& cost, Random& random) {
  PasswordHash made{cost, random.bytes(salt_bytes), {}};
  auto key = scrypt(text::nfc(password), made.salt, cost, hash_bytes);
  if (!key) throw std::bad_alloc();  // the costs are this program's own: only memory can be missing
  made.hash = *std::move(key);
  return made;
}

std::optional<PasswordHash> PasswordHash::parse(std::string_view text) {
  const auto parts = text::split(text, '$');
  if (parts.size() != 5 || !parts[0].empty() || parts[1] != "scrypt") return std::nullopt;
  const auto cost = read_cost(parts[2]);
  auto salt = decode_base64(parts[3], Base64::Unpadded);
  auto hash = decode_base64(parts[4], Base64::Unpadded);
  if (!cost || !salt || !hash || salt->size() < 8 || salt->size() > 64) return std::nullopt;
  if (hash->size() < 16 || hash->size() > 64) return std::nullopt;
  return PasswordHash{*cost, *std::move(salt), *std::move(hash)};
}

std::string PasswordHash::text() const {
  return "$scrypt$ln=" + std::to_string(cost.log2_n) + ",r=" + std::to_string(cost.r) + ",p=" + std::to_string(cost.p) +
         "$" + encode_base64(salt, Base64::Unpadded) + "$" + encode_base64(hash, Base64::Unpadded);
}

bool PasswordHash::verify(std::string_view password) const {
  const auto fits = [this](std::string_view text) {
    const auto key = scrypt(text, salt, cost, hash.size());
    return key && equal_in_constant_time(*key, hash);
  };
  const std::string normal = text::nfc(password);
  return fits(normal) || (normal != password && fits(password));
}

// Its holder is one of the few that may hash at this moment; false when even the queue was full.
class Hasher::Turn {
 public:
  explicit Turn(Hasher& hasher) : hasher_(hasher) {
    std::unique_lock lock(hasher_.mutex_);
    if (hasher_.free_ == 0) {
      if (hasher_.waiting_ >= queue_limit) return;
      ++hasher_.waiting_;
      hasher_.turn_ended_.wait(lock, [this] { return hasher_.free_ > 0; });
      --hasher_.waiting_;
    }
    --hasher_.free_;
    came_ = true;
  }
  ~Turn() {
    if (!came_) return;
    std::lock_guard lock(hasher_.mutex_);
    ++hasher_.free_;
    hasher_.turn_ended_.notify_one();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  explicit operator bool() const { return came_; }

 private:
  Hasher& hasher_;
  bool came_ = false;
};

Hasher::Hasher(ScryptCost cost, unsigned at_once, Random& random)
    : cost_(cost),
      random_(random),
      dummy_{cost, random.bytes(salt_bytes), random.bytes(hash_bytes)},
      free_(at_once == 0 ? 1 : at_once),
      memory_key_(random.bytes(hash_bytes)) {}

std::optional<bool> Hasher::verify(std::string_view password, std::string_view hash_text) {
  const Turn turn(*this);
  if (!turn) return std::nullopt;
  const auto hash = PasswordHash::parse(hash_text);
  if (hash) return hash->verify(password);
  dummy_.verify(password);
  return false;
}

std::optional<PasswordHash> Hasher::make(std::string_view password) {
  const Turn turn(*this);
  if (!turn) return std::nullopt;
  return PasswordHash::make(password, cost_, random_);
}

// The hash's length parts it from the secret: no two pairs give one text.
Digest Hasher::memory_of(std::string_view secret, std::string_view hash_text) const {
  std::string text = memory_key_ + std::to_string(hash_text.size()) + ":";
  text.append(hash_text).append(secret);
  return digest_of(text);
}

bool Hasher::remembers(std::string_view secret, std::string_view hash_text) {
  const Digest memory = memory_of(secret, hash_text);
  std::lock_guard lock(memory_mutex_);
  return verified_cache_.count(memory) != 0;
}

void Hasher::remember(std::string_view secret, std::string_view hash_text) {
  const Digest memory = memory_of(secret, hash_text);
  std::lock_guard lock(memory_mutex_);
  if (verified_cache_.size() >= most_remembered) verified_cache_.clear();
  verified_cache_.insert(memory);
}

std::optional<std::string> Hasher::rehash(std::string_view password, std::string_view hash_text) {
  const auto hash = PasswordHash::parse(hash_text);
  if (!hash || hash->cost == cost_) return std::nullopt;
  const Turn turn(*this);
  if (!turn) return std::nullopt;  // busy: the next login renews it as well
  return PasswordHash::make(password, cost_, random_).text();
}

}  // namespace callisto::auth
