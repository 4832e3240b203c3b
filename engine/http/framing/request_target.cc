#include "engine/http/framing/request_target.h"

#include <civetweb.h>
#include <dlfcn.h>

#include <utility>

namespace callisto::http {

namespace {

thread_local const mg_connection* watched = nullptr;

struct Hidden {
  char* at = nullptr;  // null: nothing is hidden
  char was = 0;
};
thread_local Hidden hidden;
thread_local bool was_shown = false;

// The target lies in the connection's own buffer, which CivetWeb itself writes into.
void hide_target() {
  const mg_request_info* info = watched ? mg_get_request_info(watched) : nullptr;
  if (!info || !info->request_uri) return;
  char* const target = const_cast<char*>(info->request_uri);
  if (*target == '/' || *target == '\0') return;
  hidden = {target, std::exchange(*target, '/')};
}

}  // namespace

void watch_targets(const mg_connection* connection) {
  watched = connection;
  hidden = {};
  was_shown = false;
}

void show_target() {
  if (hidden.at) *hidden.at = hidden.was;
  hidden = {};
  was_shown = true;
}

bool was_dropped() {
  const mg_request_info* info = watched && !was_shown ? mg_get_request_info(watched) : nullptr;
  return info && info->request_uri && *info->request_uri != '\0';
}

}  // namespace callisto::http

extern "C" int mg_strcasecmp(const char* a, const char* b) {
  using Function = int (*)(const char*, const char*);
  static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "mg_strcasecmp"));
  callisto::http::hide_target();
  return next(a, b);
}
