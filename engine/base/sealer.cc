#include "engine/base/sealer.h"

#include "engine/base/base64.h"
#include "engine/base/hex.h"
#include "engine/base/hmac.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace callisto {

namespace {

constexpr std::string_view prefix = "sealed:";

Error key_file_error(const std::string& path, const std::string& what) {
  return internal("the key file " + path + " " + what);
}

std::optional<std::string> unhex(std::string_view text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    if (digit(text[i]) < 0 || digit(text[i + 1]) < 0) return std::nullopt;
    bytes += static_cast<char>(digit(text[i]) * 16 + digit(text[i + 1]));
  }
  return bytes;
}

// 0600 and on the disk before anything is sealed with it: what was sealed with a lost key is lost too.
Result<void> write_key(const std::string& path, const std::string& key) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) return key_file_error(path, "cannot be written; check the folder's rights");
  const std::string line = hex(key) + "\n";
  const bool written = ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  const bool flushed = ::fsync(file) == 0;
  // The name is in the folder, which is flushed for itself.
  const std::string above = std::filesystem::absolute(path).parent_path().string();
  const int folder = ::open(above.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool named = folder >= 0 && ::fsync(folder) == 0;
  if (folder >= 0) ::close(folder);
  if (::close(file) == 0 && written && flushed && named) return {};
  return key_file_error(path, "could not be written whole; remove it and start again");
}

}  // namespace

Result<Sealer> Sealer::from_file(const std::string& path, Random& random) {
  if (::access(path.c_str(), F_OK) != 0 && errno == ENOENT) {
    std::string key = random.bytes(aes_gcm_key_bytes);
    CALLISTO_CHECK(write_key(path, key));
    return Sealer(std::move(key));
  }
  std::ifstream file(path);
  if (!file) return key_file_error(path, "cannot be read");
  std::string text(std::istreambuf_iterator<char>(file), {});
  while (!text.empty() && text.back() == '\n') text.pop_back();
  auto key = unhex(text);
  if (text.size() != 2 * aes_gcm_key_bytes || !key)
    return key_file_error(path, "does not hold 64 hex digits; bring back the one that the desk was used with");
  return Sealer(*std::move(key));
}

std::string Sealer::seal(std::string_view plain, Random& random) const {
  return std::string(prefix) + encode_base64(aes_gcm_seal(key_, plain, prefix, random), Base64::Url);
}

std::optional<std::string> Sealer::open(std::string_view sealed) const {
  if (!is_sealed(sealed)) return std::nullopt;
  const auto bytes = decode_base64(sealed.substr(prefix.size()), Base64::Url);
  if (!bytes) return std::nullopt;
  return aes_gcm_open(key_, *bytes, prefix);
}

// RFC 5869 3.3: a key that is random already can be expanded as it is; for one block that is an HMAC of the purpose.
std::string Sealer::key_for(std::string_view purpose) const { return hmac_sha256(key_, std::string(purpose) + '\x01'); }

std::string Sealer::fingerprint() const { return hex(key_for("fingerprint").substr(0, 8)); }

}  // namespace callisto
