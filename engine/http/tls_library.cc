#include "engine/http/tls_library.h"

#include <dlfcn.h>

#include <filesystem>
#include <string>

namespace callisto::http {
namespace {

namespace fs = std::filesystem;

bool open_both(const fs::path& folder) {
  std::error_code ignored;
  for (const char* name : {"libcrypto.so", "libssl.so"}) {
    // Never closed: CivetWeb keeps pointers into them.
    if (!fs::exists(folder / name, ignored) || !dlopen((folder / name).c_str(), RTLD_NOW)) return false;
  }
  return true;
}

// What CivetWeb will get when it asks: a library that bears the name, so ours where it was opened before, else one that
// the system finds.
bool is_whole() {
  void* found = dlopen("libssl.so", RTLD_NOW | RTLD_NOLOAD);
  if (!found) return false;
  const bool whole = dlsym(found, "SSL_get_peer_certificate") != nullptr;
  dlclose(found);
  return whole;
}

}  // namespace

Result<void> open_tls_library() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const char* folder : {"tls", "../tls", "../lib/callisto"})
    if (open_both(program / folder)) break;
  if (is_whole()) return {};
  return bad_format(
      "TLS cannot be served: libssl.so and libcrypto.so of Callisto are missing. They belong in the folder '" +
      (program / "tls").lexically_normal().string() + "' or '" +
      (program / "../lib/callisto").lexically_normal().string() +
      "', with OpenSSL 3 installed: install the whole build (cmake --install), not the program alone.");
}

}  // namespace callisto::http
