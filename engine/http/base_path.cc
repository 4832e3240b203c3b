#include "engine/http/base_path.h"

#include <algorithm>

namespace callisto::http {

namespace {

bool is_below(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

}  // namespace

std::string_view path_of_url(std::string_view url) {
  const std::size_t host = url.find("://");
  const std::size_t slash = host == url.npos ? host : url.find('/', host + 3);
  return slash == url.npos ? std::string_view() : url.substr(slash);
}

void take_base_path(Request& request, std::string_view base, std::initializer_list<std::string_view> own) {
  const std::string_view path = request.raw_path;
  if (base.empty() || !is_below(path, base)) return;
  if (std::any_of(own.begin(), own.end(), [path](std::string_view root) { return is_below(path, root); })) return;
  request.raw_path = path.size() == base.size() ? std::string_view("/") : path.substr(base.size());
}

}  // namespace callisto::http
