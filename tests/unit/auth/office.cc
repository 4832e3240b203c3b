#include "tests/unit/auth/office.h"

#include "engine/storage/migrate.h"

#include <cstdlib>

namespace callisto::auth {

namespace {

constexpr std::string_view persons = R"(
  CREATE TABLE "person" ("Ref" BIGINT PRIMARY KEY, "LoginId" TEXT, "IsActive" BIGINT, "IsAnalyst" BIGINT,
                         "IsDeleted" BIGINT);
  INSERT INTO "person" VALUES (1, 'ADA', 1, 1, 0), (2, 'BOB', 1, 0, 0), (3, 'GONE', 0, 1, 0), (4, 'ÉLODIE', 1, 1, NULL),
                              (5, 'DELETED', 1, 1, 1), (6, 'NOPASSWORD', 1, 1, 0);
)";

std::filesystem::path new_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "callisto-auth-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  return name;
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

Office::Office(Options chosen) : options(chosen), folder_(new_folder()) {
  options.password_cost = cost;
  database_ = must(storage::Database::open({.url = "sqlite:" + (folder_ / "office.db").string()}));
  must(storage::apply(*database_, storage::engine_migrations(), {}, clock.now()));
  run(persons);
  write([&](storage::Connection& connection) -> Result<void> {
    const std::string right = hash("correct");
    for (const std::int64_t person : {1, 2, 3, 4, 5}) CALLISTO_CHECK(put_password_hash(connection, person, right));
    const std::vector<std::string> grants{"password", "refresh_token"};
    CALLISTO_CHECK(put_client(connection, {"app", "App", std::nullopt, std::nullopt, true, grants, {}}));
    CALLISTO_CHECK(put_client(connection, {"service", "Service", hash("secret"), std::nullopt, true, grants, {}}));
    CALLISTO_CHECK(put_client(connection, {"disabled", "Disabled", std::nullopt, std::nullopt, false, grants, {}}));
    CALLISTO_CHECK(put_client(connection, {"renewer", "Renewer", std::nullopt, std::nullopt, true, {grants[1]}, {}}));
    return put_client(connection, {"portal", "Portal", std::nullopt, SessionType::User, true, grants, {}});
  });
  restart();
}

Office::~Office() {
  service_.reset();
  database_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
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
