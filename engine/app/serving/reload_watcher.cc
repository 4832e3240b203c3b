#include "engine/app/serving/reload_watcher.h"

#include "engine/base/log.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace callisto::app {

Result<std::unique_ptr<ReloadWatcher>> ReloadWatcher::start(std::vector<std::string> folders) {
  std::unique_ptr<ReloadWatcher> made(new ReloadWatcher(std::move(folders)));
  CALLISTO_TRY(made->watch_, FileWatcher::over(made->folders_));
  made->stop_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (made->stop_ < 0) return internal(std::string("files cannot be watched: ") + std::strerror(errno));
  made->thread_ = std::thread([watch = made.get()] { watch->run(); });
  log::info("watching entities and scripts");
  return made;
}

ReloadWatcher::~ReloadWatcher() {
  if (thread_.joinable()) {
    eventfd_write(stop_, 1);
    thread_.join();
  }
  if (stop_ >= 0) close(stop_);
}

// Each change is waited for by a new watch, made before the reload reads: a folder may have been put in another's
// place.
void ReloadWatcher::run() {
  for (;;) {
    const std::string changed = watch_->wait(stop_);
    if (changed.empty()) return;
    auto next = FileWatcher::over(folders_);
    if (!next) log::error("watch: " + next.error().log_detail + "; the old watch goes on");
    else watch_ = *std::move(next);
    log::info("watch: " + changed + " changed");
    kill(getpid(), SIGHUP);
  }
}

}  // namespace callisto::app
