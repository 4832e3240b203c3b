#include "engine/http/connections/worker_stack.h"

#include <algorithm>

#include <dlfcn.h>
#include <pthread.h>

namespace callisto::http {

void widen_worker_stacks() {}

}  // namespace callisto::http

extern "C" int pthread_attr_setstacksize(pthread_attr_t* attributes, std::size_t size) noexcept {
  using Function = int (*)(pthread_attr_t*, std::size_t);
  static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "pthread_attr_setstacksize"));
  return next(attributes, std::max(size, callisto::http::least_stack_bytes));
}
