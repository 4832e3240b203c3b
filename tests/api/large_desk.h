// A desk of some thousands of calls, so that terms with an index do not lead to few (decision 0045), and what tests of
// pages ask of it.
#pragma once

#include "desk.h"

#include <memory>
#include <string>
#include <vector>

namespace callisto::tests {

using Refs = std::vector<std::string>;

class LargeDesk {
 public:
  // SQL of what is special about its rows, before and after these are copied.
  explicit LargeDesk(const std::string& before, const std::string& after = {});
  Client client(const std::string& login) const {
    return {*server_, server_->token(login, login == "user" ? "session-type:User" : "session-type:Analyst")};
  }

 private:
  TemporaryFolder folder_;
  std::unique_ptr<ServerProcess> server_;
};

Query asked(const std::string& filter, const std::string& order, const std::string& top);  // of the keys alone
Refs refs_of(const json::Node& page);
Refs part(const Refs& all, std::size_t from, std::size_t size);
// How the first 30 of them are found.
std::string chosen(const Client& client, const std::string& entity, const std::string& filter,
                   const std::string& order);

}  // namespace callisto::tests
