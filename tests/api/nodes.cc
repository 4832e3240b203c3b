#include "nodes.h"

#include <filesystem>
#include <utility>

namespace callisto::tests {

Nodes::Nodes(test::Postgres& postgres, std::vector<std::string> settings)
    : url_(postgres.new_database()), settings_(std::move(settings)) {}

std::vector<std::string> Nodes::arguments() const {
  std::vector<std::string> all{"--samples", "--set", "database=" + url_};
  all.insert(all.end(), settings_.begin(), settings_.end());
  return all;
}

ServerProcess& Nodes::start() {
  folders_.push_back(std::make_unique<TemporaryFolder>());
  if (folders_.size() > 1)
    std::filesystem::copy_file(folder(0) + "/secret.key", folders_.back()->path() + "/secret.key");
  auto server = std::make_shared<ServerProcess>(folders_.back()->path(), arguments());
  const std::lock_guard lock(mutex_);
  servers_.push_back(std::move(server));
  return *servers_.back();
}

void Nodes::restart(std::size_t node) {
  auto server = std::make_shared<ServerProcess>(folder(node), arguments());
  const std::lock_guard lock(mutex_);
  servers_[node].swap(server);
}

}  // namespace callisto::tests
