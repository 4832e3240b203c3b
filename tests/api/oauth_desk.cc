#include "oauth_desk.h"

#include "engine/auth/admin.h"
#include "engine/storage/database.h"

#include <catch2/catch.hpp>

namespace callisto::tests {

namespace {

void add_quick_client(const std::string& folder) {
  auto database = storage::Database::open({.url = database_url(folder)});
  REQUIRE(database);
  SystemRandom random;
  auth::Client client;
  client.id = client.name = "quick";
  client.grants = {"client_credentials", "refresh_token"};
  client.secret_hash = auth::PasswordHash::make("quick-secret", {4, 1, 1}, random).text();
  const SystemClock clock;
  const auto written = (*database)->write([&](storage::Connection& connection) {
    return auth::put_client(connection, client, {clock.now(), random});
  });
  REQUIRE(written);
}

Told taken_apart(Answer answer) {
  Told told{answer.status, std::move(answer.headers), std::move(answer.body), {}};
  if (auto body = json::parse(told.raw)) told.body = *std::move(body);
  return told;
}

std::optional<Pair> pair_of(const std::optional<Answer>& answer) {
  if (!answer || answer->status != 200) return std::nullopt;
  const auto body = json::parse(answer->body);
  if (!body) return std::nullopt;
  return Pair{body->find("access_token")->text(), body->find("refresh_token")->text()};
}

const std::string form_type = "Content-Type: application/x-www-form-urlencoded";

}  // namespace

std::string Told::operator[](std::string_view member) const {
  const json::Node* node = body.find(member);
  return node ? node->text() : "(none)";
}

OAuthDesk::OAuthDesk(std::vector<std::string> settings) : settings_(std::move(settings)) {
  settings_.insert(settings_.begin(), {"--samples", "--set", "oauth.attempts_per_minute=100000"});
  start();
  server_->stop();
  add_quick_client(folder_.path());
  start();
}

void OAuthDesk::start() { server_ = std::make_unique<ServerProcess>(folder_.path(), settings_); }

Told OAuthDesk::send(std::string_view endpoint, std::string_view form, ServerProcess::Headers headers) const {
  headers.push_back(form_type);
  Told told = taken_apart(server_->send("POST", "/service.web/oauth/" + std::string(endpoint), headers, form));
  INFO(endpoint << " " << told.status << " " << told.raw);
  CHECK(told.headers.at("content-type").starts_with("application/json"));
  CHECK(told.headers.at("cache-control") == "no-store");
  CHECK(told.body.kind() == json::Node::Kind::Object);
  CHECK((told.status == 200) == (told["error"] == "(none)"));
  return told;
}

Told OAuthDesk::log_out(const std::string& token, const std::string& access) const {
  return send("logout", "token=" + token, {"Authorization: Bearer " + access});
}

std::optional<Pair> OAuthDesk::sign_in(std::string_view form) const {
  return pair_of(server_->try_send("POST", "/service.web/oauth/login", {form_type}, form));
}

Pair OAuthDesk::pair(std::string_view login, std::string_view scope) const {
  const auto made =
      sign_in("grant_type=password&client_id=sample-app&password=callisto&username=" + std::string(login) +
              "&scope=" + std::string(scope));
  REQUIRE(made);
  return *made;
}

Pair OAuthDesk::quick() const {
  const auto made = sign_in("grant_type=client_credentials&scope=session-type:User" + by_quick);
  REQUIRE(made);
  return *made;
}

Told OAuthDesk::api(const std::string& access, std::string_view method, const std::string& path,
                    std::string_view body) const {
  return taken_apart(server_->send(method, "/service.api/api/v1/" + path,
                                   {"Authorization: Bearer " + access, "Content-Type: application/json"}, body));
}

std::int64_t OAuthDesk::number(SqlLiteral sql) const {
  const auto database = storage::Database::open({.url = database_url(folder_.path()), .read_only = true});
  REQUIRE(database);
  const auto connection = (*database)->connect_reader();
  REQUIRE(connection);
  const auto row = (*connection)->query(Sql(sql), {});
  REQUIRE(row);
  REQUIRE(*(*row)->step());
  return (*row)->integer(0);
}

}  // namespace callisto::tests
