#include "tests/unit/auth/office.h"

#include "engine/storage/migrate.h"

#include <cstdlib>

namespace callisto::auth {

namespace {

// What the schema makes of entities/*.lua, as far as sign-in knows it.
constexpr std::string_view tables = R"(
  CREATE TABLE "person" ("Ref" INTEGER PRIMARY KEY, "LoginId" TEXT, "IsActive" BIGINT, "IsAnalyst" BIGINT,
                         "IsUser" BIGINT DEFAULT 1, "IsLoggedIn" BIGINT, "LastLoginDate" BIGINT, "IsDeleted" BIGINT);
  INSERT INTO "person" ("Ref", "LoginId", "IsActive", "IsAnalyst", "IsDeleted") VALUES
    (1, 'ADA', 1, 1, 0), (2, 'BOB', 1, 0, 0), (3, 'GONE', 0, 1, 0), (4, 'ÉLODIE', 1, 1, NULL), (5, 'DELETED', 1, 1, 1),
    (6, 'NOPASSWORD', 1, 1, 0);
  CREATE TABLE "session" ("Ref" INTEGER PRIMARY KEY, "Id" TEXT UNIQUE, "CreatedDate" BIGINT, "UpdatedDate" BIGINT,
                          "IsDeleted" BIGINT, "RecordVersion" BIGINT, "Person" BIGINT, "Client" BIGINT,
                          "SessionType" TEXT, "LastUsed" BIGINT, "ExpiresDate" BIGINT, "Address" TEXT);
  CREATE TABLE "client" ("Ref" INTEGER PRIMARY KEY, "Id" TEXT UNIQUE, "CreatedDate" BIGINT, "UpdatedDate" BIGINT,
                         "IsDeleted" BIGINT, "RecordVersion" BIGINT, "ClientId" TEXT, "Name" TEXT, "Description" TEXT,
                         "SessionType" TEXT, "IsEnabled" BIGINT, "HasSecret" BIGINT, "Grants" TEXT, "RedirectUris" TEXT,
                         "Role" BIGINT);
  CREATE TABLE "role" ("Ref" INTEGER PRIMARY KEY, "Id" TEXT UNIQUE, "CreatedDate" BIGINT, "UpdatedDate" BIGINT,
                       "IsDeleted" BIGINT, "RecordVersion" BIGINT, "Name" TEXT, "Rights" TEXT, "AllPartitions" BIGINT);
  CREATE TABLE "role_partition" ("Ref" INTEGER PRIMARY KEY, "Id" TEXT UNIQUE, "CreatedDate" BIGINT,
                                 "UpdatedDate" BIGINT, "IsDeleted" BIGINT, "RecordVersion" BIGINT, "Role" BIGINT,
                                 "Partition" BIGINT);
  CREATE TABLE "identity_link" ("Ref" INTEGER PRIMARY KEY, "Id" TEXT UNIQUE, "CreatedDate" BIGINT,
                                "UpdatedDate" BIGINT, "IsDeleted" BIGINT, "RecordVersion" BIGINT, "Person" BIGINT,
                                "Issuer" TEXT, "Subject" TEXT);
  CREATE TABLE "person_role" ("Ref" INTEGER PRIMARY KEY, "Id" TEXT UNIQUE, "CreatedDate" BIGINT, "UpdatedDate" BIGINT,
                              "IsDeleted" BIGINT, "RecordVersion" BIGINT, "Person" BIGINT, "Role" BIGINT);
)";

Client client_of(std::string id, std::vector<std::string> grants) {
  Client client;
  client.name = id;
  client.id = std::move(id);
  client.grants = std::move(grants);
  return client;
}

void must(const Result<void>& result) {
  if (!result) FAIL(result.error().message + " " + result.error().log_detail);
}

template <typename T>
T must(Result<T> result) {
  if (!result) FAIL(result.error().message + " " + result.error().log_detail);
  return *std::move(result);
}

LoginRequest changed(LoginRequest request, const Fields& changes) {
  for (const auto& [name, value] : changes) request.fields[name] = value;
  return request;
}

}  // namespace

Office::Office(Options chosen) : options(chosen) {
  options.password_cost = cost;
  options.sweep_ms = 0;
  database_ = must(storage::Database::open({.url = "sqlite:" + folder_ / "office.db"}));
  must(storage::apply(*database_, storage::engine_migrations(), {}, clock.now()));
  run(tables);
  write([&](storage::Connection& connection) -> Result<void> {
    const std::string right = hash("correct");
    for (const std::int64_t person : {1, 2, 3, 4, 5}) CALLISTO_CHECK(put_password_hash(connection, person, right));
    const storage::Stamp stamp{clock.now(), random};
    const std::vector<std::string> usual{"password", "refresh_token", "authorization_code", "client_credentials"};
    Client app = client_of("app", usual), service = client_of("service", usual);
    app.redirect_uris = {"http://127.0.0.1:8765/callback"};
    service.secret_hash = hash("secret");
    service.redirect_uris = {"https://service.example.com/back", "https://service.example.com/other?a=1"};
    Client disabled = client_of("disabled", usual), portal = client_of("portal", usual);
    disabled.enabled = false;
    disabled.redirect_uris = portal.redirect_uris = app.redirect_uris;
    portal.only = SessionType::User;
    const Client renewer = client_of("renewer", {"refresh_token"});
    for (const Client& client : {app, service, disabled, portal, renewer})
      CALLISTO_CHECK(put_client(connection, client, stamp));
    return {};
  });
  restart();
}

Office::~Office() {
  service_.reset();
  database_.reset();
}

void Office::restart() {
  service_.reset();
  service_ = must(Service::create(*database_, clock, random, options, audit));
}

void Office::write(const storage::WriteFunction& function) { must(database_->write(function)); }

void Office::run(std::string_view sql) {
  write([&](storage::Connection& connection) { return connection.run_script(sql); });
}

std::int64_t Office::number(SqlLiteral sql) {
  const auto connection = must(database_->connect_reader());
  const auto row = must(connection->query(Sql(sql), {}));
  REQUIRE(must(row->step()));
  return row->integer(0);
}

LoginAnswer Office::login(const LoginRequest& request) { return must(service_->login(request)); }

TokenPair Office::tokens(const LoginRequest& request) {
  const LoginAnswer answer = login(request);
  if (const auto* error = std::get_if<OAuthError>(&answer)) FAIL(error->error + ": " + error->description);
  return std::get<TokenPair>(answer);
}

OAuthError Office::refusal(const LoginRequest& request) {
  const LoginAnswer answer = login(request);
  REQUIRE(std::holds_alternative<OAuthError>(answer));
  return std::get<OAuthError>(answer);
}

std::optional<OAuthError> Office::log_out(const TokenPair& pair) {
  return must(service_->logout(form({{"token", pair.refresh_token}}), pair.access_token));
}

void Office::sweep() { must(service_->sweep()); }

std::shared_ptr<const Session> Office::session(const std::string& access_token) {
  return must(service_->authenticate(access_token));
}

std::string Office::unauthenticated(const std::string& access_token) {
  const auto answer = service_->authenticate(access_token);
  REQUIRE_FALSE(answer);
  CHECK(answer.error().status == 401);
  CHECK(answer.error().log_detail.empty());
  return answer.error().message;
}

LoginRequest form(const Fields& fields) {
  LoginRequest request;
  request.fields = fields;
  request.remote_address = "192.0.2.1";
  return request;
}

LoginRequest password_form(const std::string& login_name, const Fields& changes) {
  return changed(form({{"grant_type", "password"},
                       {"client_id", "app"},
                       {"scope", "session-type:User"},
                       {"username", login_name},
                       {"password", "correct"}}),
                 changes);
}

LoginRequest refresh_form(const std::string& refresh_token, const Fields& changes) {
  return changed(form({{"grant_type", "refresh_token"}, {"client_id", "app"}, {"refresh_token", refresh_token}}),
                 changes);
}

}  // namespace callisto::auth
