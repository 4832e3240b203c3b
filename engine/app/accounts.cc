// callisto person add, callisto client add: who may sign in, and through which programs.
#include "engine/app/accounts.h"
#include "engine/app/commands.h"
#include "engine/app/load.h"
#include "engine/auth/admin.h"
#include "engine/base/text.h"
#include "engine/records/insert.h"

#include <termios.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

namespace callisto::app {

namespace {

constexpr std::int64_t administrator_role = 1;

// From standard input: never from the command line, where other users could read it. Not shown while typed.
std::string read_secret(const char* prompt) {
  std::string secret;
  termios shown{};
  const bool terminal = isatty(0) && tcgetattr(0, &shown) == 0;
  if (terminal) {
    std::fprintf(stderr, "%s: ", prompt);
    termios hidden = shown;
    hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    tcsetattr(0, TCSAFLUSH, &hidden);
  }
  std::getline(std::cin, secret);
  if (terminal) {
    tcsetattr(0, TCSAFLUSH, &shown);
    std::fprintf(stderr, "\n");
  }
  return secret;
}

Result<void> put(records::NewRow& row, std::string_view name, Value value) {
  const catalog::Property* property = row.entity->find_property(name);
  if (!property) return bad_format(row.entity->name + " has no property " + std::string(name));
  row.values.insert_or_assign(property, std::move(value));
  return {};
}

Result<void> refuse_taken_login(storage::Connection& connection, const catalog::Entity& person,
                                const std::string& login) {
  Sql sql("SELECT 1 FROM ");
  sql << person.table << SqlLiteral(" WHERE \"LoginId\" = ");
  sql.parameter(1);
  CALLISTO_TRY(auto cursor, connection.query(sql, {login}));
  CALLISTO_TRY(const bool taken, cursor->step());
  if (taken) return bad_format("the login " + login + " is taken; choose another");
  return {};
}

Result<void> add_person(storage::Connection& connection, const records::Model& model, const PersonOptions& options,
                        const std::string& hash, DateTime now, Random& random) {
  const catalog::Entity* person = model.catalog().find(catalog::system::person_entity);
  if (!person) return bad_format("there is no entity person");
  const std::string login = text::upper(options.login);
  CALLISTO_CHECK(refuse_taken_login(connection, *person, login));
  records::NewRow row{person, {}};
  const std::string last = options.last_name.empty() ? options.login : options.last_name;
  CALLISTO_CHECK(put(row, "LoginId", login));
  CALLISTO_CHECK(put(row, "LastName", last));
  if (!options.first_name.empty()) CALLISTO_CHECK(put(row, "FirstName", options.first_name));
  CALLISTO_CHECK(put(row, "Name", options.first_name.empty() ? last : options.first_name + " " + last));
  CALLISTO_CHECK(put(row, "IsAnalyst", options.analyst || options.administrator));
  CALLISTO_CHECK(put(row, "IsUser", true));
  CALLISTO_CHECK(put(row, "IsActive", true));
  records::Inserter inserter(connection, now, random);
  CALLISTO_TRY(const std::int64_t ref, inserter.insert(row));
  CALLISTO_CHECK(inserter.finish());
  if (options.administrator) {
    CALLISTO_CHECK(auth::put_role(
        connection, {administrator_role,
                     "Administrator",
                     {"Administration", "Integration", "*:Read", "*:Create", "*:Update", "*:Delete", "*:Action"},
                     std::nullopt}));
    CALLISTO_CHECK(auth::assign_role(connection, ref, administrator_role));
  }
  return auth::put_password_hash(connection, ref, hash);
}

audit::Event noted(audit::Kind kind, const char* entity, const std::string& name) {
  audit::Event event;
  event.kind = kind;
  event.entity = entity;
  event.action = "create";
  event.reason = name + ", by the command line, user " + std::to_string(getuid());
  return event;
}

// Opens the desk and runs `change` in one transaction; the exit status.
template <typename Change>
int change_desk(const Settings& settings, const audit::Event& event, Change change) {
  const SystemClock clock;
  SystemRandom random;
  const auto model = load_model(settings, clock, random);
  if (!model) return 1;
  const auto database = open_database(settings, *model, clock);
  if (!database) return 1;
  const auto log = open_audit(settings, clock);
  if (!log) return 1;
  const auto done =
      database->write([&](storage::Connection& connection) { return change(connection, *model, clock.now(), random); });
  if (done) {
    log->note(event);
    return 0;
  }
  print_error(done.error());
  return 1;
}

}  // namespace

Result<void> add_first_administrator(storage::Database& database, const records::Model& model, const std::string& login,
                                     const std::string& password_hash, DateTime now, Random& random) {
  PersonOptions options;
  options.login = login;
  options.administrator = true;
  return database.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(const bool exists, auth::has_administrator(connection));
    if (exists) return bad_format("There is an administrator already.");
    return add_person(connection, model, options, password_hash, now, random);
  });
}

int person_add(const Settings& settings, const PersonOptions& options) {
  const std::string password = read_secret("Password");
  if (text::length(password) < 8) {
    std::fprintf(stderr, "callisto: a password has at least 8 characters; give it on standard input\n");
    return 2;
  }
  SystemRandom random;
  const std::string hash = auth::PasswordHash::make(password, auth::ScryptCost{}, random).text();
  const auto event = noted(audit::Kind::PersonChanged, "person",
                           text::upper(options.login) + (options.administrator ? ", Administrator" : ""));
  const int status = change_desk(
      settings, event, [&](storage::Connection& connection, const records::Model& model, DateTime now, Random& each) {
        return add_person(connection, model, options, hash, now, each);
      });
  if (status == 0) std::printf("person %s added\n", text::upper(options.login).c_str());
  return status;
}

int client_add(const Settings& settings, const ClientOptions& options) {
  auth::Client client{
      options.id,           options.name.empty() ? options.id : options.name, {}, {}, true, options.grants,
      options.redirect_uris};
  SystemRandom random;
  if (options.secret) {
    const std::string secret = read_secret("Client secret");
    if (secret.empty()) {
      std::fprintf(stderr, "callisto: give the client's secret on standard input\n");
      return 2;
    }
    client.secret_hash = auth::PasswordHash::make(secret, auth::ScryptCost{}, random).text();
  }
  const int status = change_desk(settings, noted(audit::Kind::ClientChanged, "client", client.id),
                                 [&](storage::Connection& connection, const records::Model&, DateTime, Random&) {
                                   return auth::put_client(connection, client);
                                 });
  if (status == 0) std::printf("client %s added\n", client.id.c_str());
  return status;
}

}  // namespace callisto::app
