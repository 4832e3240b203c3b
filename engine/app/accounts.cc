// callisto person add and password, callisto client add, list and disable: who may sign in, and through which programs.
#include "engine/app/accounts.h"
#include "engine/app/commands.h"
#include "engine/app/opening/with_desk.h"
#include "engine/auth/admin.h"
#include "engine/auth/end_sessions.h"
#include "engine/auth/person.h"
#include "engine/auth/words.h"
#include "engine/base/normal_form.h"
#include "engine/base/text.h"
#include "engine/records/body.h"
#include "engine/records/convert.h"
#include "engine/records/insert.h"
#include "engine/sign_in/answer_url.h"
#include "engine/workbench/signing_in.h"

#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <optional>

namespace callisto::app {

namespace {

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

Result<const catalog::Property*> property_of(const catalog::Entity& entity, std::string_view name) {
  if (const catalog::Property* property = entity.find_property(name)) return property;
  return bad_format(entity.name + " has no property " + std::string(name));
}

Error mandatory(std::string_view name) { return records::invalid({{std::string(name), "is mandatory"}}); }

// As the API takes it for that property and in its words. Whoever wrote it otherwise would break every answer that has
// it.
Result<Value> taken(const catalog::Property& property, Value value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text && text->empty() && property.required) return mandatory(property.name);
  auto coerced = records::coerced(property, std::move(value));
  if (!coerced) return records::invalid({{property.name, coerced.error().message}});
  return coerced;
}

Result<void> put(records::NewRow& row, std::string_view name, Value value) {
  CALLISTO_TRY(const catalog::Property* property, property_of(*row.entity, name));
  CALLISTO_TRY(Value checked, taken(*property, std::move(value)));
  row.values.insert_or_assign(property, std::move(checked));
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

auth::Role administrator_role() {
  return {"Administrator",
          {"Administration", "Integration", "*:Read", "*:Create", "*:Update", "*:Delete", "*:Action"},
          std::nullopt};
}

Result<void> add_person(storage::Connection& connection, const records::Model& model, const PersonOptions& options,
                        const std::string& hash, DateTime now, Random& random) {
  const catalog::Entity* person = model.catalog().find(catalog::system::person_entity);
  if (!person) return bad_format("there is no entity person");
  const std::string typed(text::trim_blanks(options.login));
  if (typed.empty()) return mandatory("LoginId");
  const std::string login = text::upper(typed);
  records::NewRow row{person, {}};
  const std::string last = options.last_name.empty() ? typed : options.last_name;
  CALLISTO_CHECK(put(row, "LoginId", typed));  // which the property capitalises
  CALLISTO_CHECK(refuse_taken_login(connection, *person, login));
  CALLISTO_CHECK(put(row, "LastName", last));
  if (!options.first_name.empty()) CALLISTO_CHECK(put(row, "FirstName", options.first_name));
  CALLISTO_CHECK(put(row, "Name", options.first_name.empty() ? last : options.first_name + " " + last));
  CALLISTO_CHECK(put(row, "IsAnalyst", options.analyst || options.administrator));
  CALLISTO_CHECK(put(row, "IsUser", true));
  CALLISTO_CHECK(put(row, "IsActive", true));
  records::Inserter inserter(model.store, connection, now, random);
  CALLISTO_TRY(const std::int64_t ref, inserter.insert(row));
  CALLISTO_CHECK(inserter.finish());
  if (options.administrator) {
    const storage::Stamp stamp{now, random};
    CALLISTO_TRY(const std::int64_t role, auth::put_role(connection, administrator_role(), stamp));
    CALLISTO_CHECK(auth::assign_role(connection, ref, role, stamp));
  }
  for (const std::string& name : options.roles) {
    CALLISTO_TRY(const auto role, auth::find_role(connection, name));
    if (!role) return bad_format("there is no role " + text::quoted(name));
    CALLISTO_CHECK(auth::assign_role(connection, ref, *role, {now, random}));
  }
  return auth::put_password_hash(connection, ref, hash);
}

// The hash of a password from standard input; nothing, and a message, where it is too short.
std::optional<std::string> read_password_hash() {
  const std::string password = read_secret("Password");
  if (text::length(password) < 8) {
    std::fprintf(stderr, "callisto: a password has at least 8 characters; give it on standard input\n");
    return std::nullopt;
  }
  SystemRandom random;
  return auth::PasswordHash::make(password, auth::ScryptCost{}, random).text();
}

Result<void> check_client(const catalog::Catalog& catalog, const auth::Client& client) {
  const catalog::Entity* entity = catalog.find("client");
  if (!entity) return bad_format("there is no entity client");
  const std::pair<const char*, std::string> values[] = {{"ClientId", client.id},
                                                        {"Name", client.name},
                                                        {"Description", client.description},
                                                        {"RedirectUris", auth::join_words(client.redirect_uris)}};
  for (const auto& [name, value] : values) {
    CALLISTO_TRY(const catalog::Property* property, property_of(*entity, name));
    CALLISTO_CHECK(taken(*property, Value(value)));
  }
  for (const std::string& uri : client.redirect_uris)
    if (!sign_in::is_redirectable(uri))
      return records::invalid(
          {{"RedirectUris",
            text::quoted(uri) + " is no absolute uri without a fragment that a browser can be sent to"}});
  return {};
}

// Answers its id; nothing where there are clients already.
Result<std::string> add_first_client(storage::Connection& connection, const storage::Stamp& stamp) {
  CALLISTO_TRY(const auto clients, auth::list_clients(connection));
  const bool has_own = std::any_of(clients.begin(), clients.end(), [](const auth::Client& client) {
    return client.id != workbench::client_id;  // which gives no tokens to programs
  });
  if (has_own) return std::string();
  auth::Client client;
  client.id = "callisto";
  client.name = "Callisto";
  client.description = "Made with the first administrator, who could not sign in without a client.";
  client.grants = {"password", "refresh_token"};
  CALLISTO_CHECK(auth::put_client(connection, client, stamp));
  return client.id;
}

// As the API does: sessions that somebody else may have opened end with what they rest on.
Result<void> end_all(storage::Connection& connection, auth::SessionsOf owner, std::int64_t key, DateTime now) {
  CALLISTO_CHECK(auth::end_sessions(connection, owner, key, {now, {}, 0}));
  return {};
}

// What a client that was replaced may not open any more; all where what it proves itself with is another now.
Result<void> end_lost(storage::Connection& connection, const auth::Client& before, auth::Client now_is, DateTime now) {
  now_is.ref = before.ref;
  if (now_is.secret_hash || before.secret_hash) return end_all(connection, auth::SessionsOf::Client, before.ref, now);
  CALLISTO_CHECK(auth::end_lost_sessions(connection, now_is, {now, {}, 0}));
  return {};
}

// Where the API changes a record of `entity`.
std::string url_of(const Settings& settings, const std::string& entity) {
  return settings.api_root + "/" + settings.api_versions.front() + "/" + entity;
}

std::string password_advice(const Settings& settings) {
  return "people and their passwords are changed there by POST and PUT " + url_of(settings, "person") +
         ", as an administrator; or stop it first";
}

}  // namespace

Result<std::string> add_first_administrator(storage::Database& database, const records::Model& model,
                                            const std::string& login, const std::string& password_hash, DateTime now,
                                            Random& random) {
  PersonOptions options;
  options.login = login;
  options.administrator = true;
  std::string client;
  CALLISTO_CHECK(database.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(const bool exists, auth::has_administrator(connection));
    if (exists) return bad_format("There is an administrator already.");
    CALLISTO_CHECK(add_person(connection, model, options, password_hash, now, random));
    CALLISTO_TRY(client, add_first_client(connection, {now, random}));
    return {};
  }));
  return client;
}

int person_add(const Settings& settings, const PersonOptions& options) {
  const auto hash = read_password_hash();
  if (!hash) return 2;
  const auto event = noted(audit::Kind::PersonChanged, "person", "create",
                           text::upper(options.login) + (options.administrator ? ", Administrator" : ""));
  std::string client;
  const auto add = [&](storage::Connection& connection, const records::Model& model, DateTime now,
                       Random& random) -> Result<void> {
    CALLISTO_CHECK(add_person(connection, model, options, *hash, now, random));
    if (options.administrator) { CALLISTO_TRY(client, add_first_client(connection, {now, random})); }
    return {};
  };
  const int status = change_desk(settings, event, add, password_advice(settings));
  if (status == 0) std::printf("person %s added\n", text::upper(options.login).c_str());
  if (status == 0 && !client.empty())
    std::printf("client %s added: nobody signs in without one; client_id=%s\n", client.c_str(), client.c_str());
  return status;
}

int person_password(const Settings& settings, const PersonOptions& options) {
  const auto hash = read_password_hash();
  if (!hash) return 2;
  const auto set = [&](storage::Connection& connection, const records::Model&, DateTime now, Random&) -> Result<void> {
    CALLISTO_TRY(const auto person, auth::find_person_by_login(connection, options.login));
    if (!person) return bad_format("there is no person with the login " + text::upper(options.login));
    CALLISTO_CHECK(auth::put_password_hash(connection, person->ref, *hash));
    return end_all(connection, auth::SessionsOf::Person, person->ref, now);
  };
  const int status =
      change_desk(settings, noted(audit::Kind::PersonChanged, "person", "set-password", text::upper(options.login)),
                  set, password_advice(settings));
  if (status == 0) std::printf("password of %s set\n", text::upper(options.login).c_str());
  return status;
}

int client_add(const Settings& settings, const ClientOptions& options) {
  auth::Client client;
  client.id = options.id;
  client.name = options.name.empty() ? options.id : options.name;
  client.description = options.description;
  client.only = auth::session_type(options.session_type);
  client.grants = options.grants;
  client.redirect_uris = options.redirect_uris;
  if (options.secret) {
    const std::string secret = read_secret("Client secret");
    if (secret.empty()) {
      std::fprintf(stderr, "callisto: give the client's secret on standard input\n");
      return 2;
    }
    SystemRandom random;
    client.secret_hash = auth::PasswordHash::make(secret, auth::ScryptCost{}, random).text();
  }
  const auto add = [&](storage::Connection& connection, const records::Model& model, DateTime now,
                       Random& random) -> Result<void> {
    CALLISTO_CHECK(check_client(model.catalog(), client));
    if (!options.role.empty()) {
      CALLISTO_TRY(client.role, auth::find_role(connection, options.role));
      if (!client.role) return bad_format("there is no role " + text::quoted(options.role));
    }
    CALLISTO_TRY(const auto before, auth::find_client(connection, client.id));
    CALLISTO_CHECK(auth::put_client(connection, client, {now, random}));
    return before ? end_lost(connection, *before, client, now) : Result<void>();
  };
  const int status =
      change_desk(settings, noted(audit::Kind::ClientChanged, "client", "create", client.id), add,
                  "add one without a secret there: POST " + url_of(settings, "client") + ", as an administrator");
  if (status == 0) std::printf("client %s added\n", client.id.c_str());
  return status;
}

int client_list(const Settings& settings) {
  return read_desk(settings, [](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(const auto clients, auth::list_clients(connection));
    std::vector<std::vector<std::string>> rows;
    rows.reserve(clients.size());
    for (const auth::Client& each : clients)
      rows.push_back({each.id, each.name, each.enabled ? "enabled" : "disabled", each.secret_hash ? "secret" : "public",
                      each.only ? auth::name(*each.only) : "Any", auth::join_words(each.grants),
                      auth::join_words(each.redirect_uris)});
    print_table({"CLIENT", "NAME", "STATE", "KIND", "SESSIONS", "GRANTS", "REDIRECT URIS"}, rows);
    return {};
  });
}

int client_disable(const Settings& settings, const ClientOptions& options) {
  const auto disable = [&](storage::Connection& connection, const records::Model&, DateTime now,
                           Random&) -> Result<void> {
    CALLISTO_TRY(const auto client, auth::find_client(connection, options.id));
    if (!client)
      return bad_format("there is no client " + text::quoted(options.id) + "; callisto client list shows them");
    CALLISTO_CHECK(auth::disable_client(connection, options.id, now));
    return end_all(connection, auth::SessionsOf::Client, client->ref, now);
  };
  const int status = change_desk(
      settings, noted(audit::Kind::ClientChanged, "client", "disable", options.id), disable,
      "disable it there: PUT " + url_of(settings, "client") + "/REF with {\"IsEnabled\": false}, as an administrator");
  if (status == 0) std::printf("client %s disabled\n", options.id.c_str());
  return status;
}

}  // namespace callisto::app
