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
  servers_.push_back(std::make_unique<ServerProcess>(folders_.back()->path(), arguments()));
  return *servers_.back();
}

void Nodes::restart(std::size_t node) {
  servers_[node].reset();
  servers_[node] = std::make_unique<ServerProcess>(folder(node), arguments());
}

}  // namespace callisto::tests
