// libbench_slow_flush.so, for LD_PRELOAD: each flush to disk takes 2 ms more, as on a disk across a network. Without it
// a machine whose disk answers from memory says little of what sharing a flush is worth.
#include <dlfcn.h>
#include <unistd.h>

namespace {

constexpr unsigned more_us = 2000;

int flush_slowly(const char* name, int file) {
  usleep(more_us);
  return reinterpret_cast<int (*)(int)>(dlsym(RTLD_NEXT, name))(file);
}

}  // namespace

extern "C" int fsync(int file) { return flush_slowly("fsync", file); }
extern "C" int fdatasync(int file) { return flush_slowly("fdatasync", file); }
