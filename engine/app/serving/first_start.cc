#include "engine/app/serving/first_start.h"

#include "engine/app/accounts.h"
#include "engine/auth/admin.h"

namespace callisto::app {

FirstStart::FirstStart(const Settings& settings, storage::Database& database,
                       std::shared_ptr<const records::Model> model, const Clock& clock, Random& random,
                       audit::Sink& audit_log)
    : settings_(settings),
      database_(database),
      model_(std::move(model)),
      clock_(clock),
      random_(random),
      audit_log_(audit_log),
      setup_(settings.oauth_root + "/setup", settings.server_name, clock, random,
             [this](const std::string& login, const std::string& hash, const std::string& remote_address) {
               return create(login, hash, remote_address);
             }) {}

Result<void> FirstStart::offer() {
  CALLISTO_TRY(const auto connection, database_.connect_reader());
  CALLISTO_TRY(const bool exists, auth::has_administrator(*connection));
  if (!exists) link_ = setup_.offer();
  return {};
}

// To standard output alone: the link is a key, and logs are kept. The command needs the server stopped, because one
// process alone may write a database.
std::string FirstStart::told(const std::string& base) const {
  if (link_.empty()) return {};
  return "\nThere is no administrator yet. Make the first one\n\n  in a browser, within an hour:  " + base + link_ +
         "\n  or with the server stopped:    callisto person add --administrator --data " + settings_.data +
         " LOGIN\n\n";
}

bool FirstStart::handle(http::Request& request, http::Response& response) { return setup_.handle(request, response); }

Result<std::string> FirstStart::create(const std::string& login, const std::string& hash,
                                       const std::string& remote_address) {
  CALLISTO_TRY(const std::string client,
               add_first_administrator(database_, *model_, login, hash, clock_.now(), random_));
  audit::Event event;
  event.kind = audit::Kind::PersonChanged;
  event.entity = "person";
  event.action = "create";
  event.address = remote_address;
  event.reason = login + ", Administrator, by the setup link";
  audit_log_.note(event);
  if (client.empty()) return client;
  event.kind = audit::Kind::ClientChanged;
  event.entity = "client";
  event.reason = client + ", by the setup link";
  audit_log_.note(event);
  return client;
}

}  // namespace callisto::app
