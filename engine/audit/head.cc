#include "engine/audit/head.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace callisto::audit {

std::string head_path(const std::string& log_path) {
  return std::filesystem::path(log_path).replace_extension(".head").string();
}

std::optional<Link> read_head(const std::string& path) {
  std::ifstream file(path);
  Link link;
  if (!(file >> link.sequence >> link.hash) || link.hash.size() != Link().hash.size()) return std::nullopt;
  return link;
}

// Always as many bytes, in one write over the old ones: it is never shorter or half.
bool write_head(const std::string& path, const Link& link) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) return false;
  char number[24];
  std::snprintf(number, sizeof number, "%020lld ", static_cast<long long>(link.sequence));
  const std::string text = number + link.hash + "\n";
  const bool written = pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
  return close(descriptor) == 0 && written;
}

}  // namespace callisto::audit
