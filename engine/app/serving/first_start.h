// What a desk without an administrator offers at start-up: a one-time link instead of a default password. Any thread.
#pragma once

#include "engine/app/opening/settings.h"
#include "engine/audit/event.h"
#include "engine/records/model.h"
#include "engine/sign_in/setup.h"
#include "engine/storage/database.h"

#include <string>

namespace callisto::app {

class FirstStart {
 public:
  // References outlive this.
  FirstStart(const Settings& settings, storage::Database& database, std::shared_ptr<const records::Model> model,
             const Clock& clock, Random& random, audit::Sink& audit_log);

  Result<void> offer();                             // makes the link where there is no administrator
  std::string told(const std::string& base) const;  // how to make one; otherwise nothing
  bool handle(http::Request&, http::Response&);     // false: a request for somebody else

 private:
  Result<std::string> create(const std::string& login, const std::string& hash, const std::string& remote_address);

  const Settings& settings_;
  storage::Database& database_;
  const std::shared_ptr<const records::Model> model_;
  const Clock& clock_;
  Random& random_;
  audit::Sink& audit_log_;
  sign_in::Setup setup_;
  std::string link_;  // below the server's address; empty: none
};

}  // namespace callisto::app
