// What `callisto advise` measures on: a copy of the desk's database, and a server of that copy in this process. One
// thread.
#pragma once

#include "engine/app/opening/settings.h"
#include "engine/base/file_lock.h"
#include "engine/base/random.h"
#include "engine/json/read.h"
#include "engine/records/model.h"
#include "engine/storage/database.h"
#include "engine/testing/test_server.h"

#include <cstdint>
#include <memory>
#include <string>

namespace callisto::app {

// SQLite: a file in DATA/advise. PostgreSQL: the schema callisto_advise of the same database. It goes with this object;
// what a killed command left goes as the next one begins. Errors are for the operator.
class AdvisedCopy {
 public:
  // Beside a running server. An error where another command is at it.
  static Result<std::unique_ptr<AdvisedCopy>> make(const Settings& settings);
  virtual ~AdvisedCopy() = default;

  virtual std::string url() const = 0;
  virtual Result<std::uint64_t> bytes() const = 0;  // that the copy takes
  virtual Result<void> renew_statistics(storage::Database& opened) const = 0;
  const std::string& folder() const { return folder_; }  // for files beside it

 protected:
  explicit AdvisedCopy(std::string folder) : folder_(std::move(folder)) {}

 private:
  std::string folder_;
};

// For somebody who sees everything; every index that the model asks for is made.
class AdvisedServer {
 public:
  static Result<std::unique_ptr<AdvisedServer>> open(const Settings& settings, const AdvisedCopy& copy,
                                                     std::shared_ptr<records::Model> model, const Clock& clock,
                                                     Random& random);

  Result<json::Node> ask(const std::string& target);
  Result<double> milliseconds(const std::string& target);
  storage::Database& database() { return *database_; }

 private:
  explicit AdvisedServer(DateTime now) : clock_(now) {}

  testing::SteeredClock clock_;
  std::unique_ptr<storage::Database> database_;
  std::unique_ptr<storage::Connection> connection_;
  std::unique_ptr<testing::TestServer> server_;
  std::size_t session_ = 0;
};

// Microseconds to take a record of the entity out of its table and its indexes and put it back; undone.
Result<double> microseconds_to_rewrite(storage::Database& database, const catalog::Entity& entity);

}  // namespace callisto::app
