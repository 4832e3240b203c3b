#include "engine/importing/text.h"

#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace callisto::importing {

namespace {

constexpr std::size_t step = 1024 * 1024;
constexpr std::size_t most_bytes = std::size_t{4} * 1024 * 1024 * 1024;

Error unreadable(const std::string& path, const std::string& why) {
  return bad_format(path + " cannot be read: " + why);
}

struct Closer {
  void operator()(gzFile file) const { gzclose(file); }
};

std::string reason(gzFile file) {
  int code = 0;
  gzerror(file, &code);
  if (code == Z_ERRNO) return std::strerror(errno);
  return code == Z_BUF_ERROR ? "the packed file ends too early" : "the packed file is damaged";
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  errno = 0;
  std::unique_ptr<gzFile_s, Closer> file(gzopen(path.c_str(), "rb"));  // reads what is no gzip as it is
  if (!file) return unreadable(path, std::strerror(errno));
  std::string text;
  for (std::size_t size = 0;; size = text.size()) {
    if (size > most_bytes) return unreadable(path, "it is larger than 4 GiB; split it");
    text.resize(size + step);
    const int count = gzread(file.get(), text.data() + size, static_cast<unsigned>(step));
    if (count < 0) return unreadable(path, reason(file.get()));
    text.resize(size + static_cast<std::size_t>(count));
    if (count == 0) break;
  }
  if (gzclose_r(file.release()) != Z_OK) return unreadable(path, "the packed file ends too early");
  return text;
}

}  // namespace callisto::importing
