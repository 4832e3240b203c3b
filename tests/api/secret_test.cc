// Passwords of persons and secrets of clients as an administrator and their owners set them (API rules 6.3, 4.10), and
// that none of them is ever shown, logged or stored as it came. Every secret of this file begins with `hush`.
#include "desk.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

using namespace callisto;
using namespace callisto::tests;

constexpr std::string_view mark = "hush";

Reply taken_apart(Answer answer) {
  Reply reply{answer.status, std::move(answer.headers), std::move(answer.body), {}};
  CHECK(reply.raw.find(mark) == std::string::npos);
  if (auto body = json::parse(reply.raw)) reply.body = *std::move(body);
  return reply;
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// A server that logs all it can. Its answers never hold a secret.
class Office {
 public:
  Office()
      : server_(folder_.path(), {"--samples", "--set", "log.level=debug", "--set", "oauth.attempts_per_minute=100000"},
                folder_.path() + "/errors.txt"),
        admin_(token("admin", "callisto")) {}

  Reply send(const std::string& access, std::string_view method, std::string_view path, std::string_view body) const {
    return taken_apart(server_.send(method, "/service.api/api/v1/" + std::string(path),
                                    {"Authorization: Bearer " + access, "Content-Type: application/json"}, body));
  }
  Reply by_admin(std::string_view method, std::string_view path, std::string_view body) const {
    return send(admin_, method, path, body);
  }
  Reply form(const std::string& form) const { return taken_apart(server_.login(form)); }
  Reply sign_in(const std::string& login, const std::string& password, const std::string& type = "Analyst") const {
    return form("client_id=sample-app&grant_type=password&username=" + login + "&password=" + password +
                "&scope=session-type:" + type);
  }
  std::string token(const std::string& login, const std::string& password) const {
    const Reply reply = sign_in(login, password);
    INFO(login << " " << reply.raw);
    REQUIRE(reply.status == 200);
    return reply["access_token"];
  }
  // An analyst with the password hush-LOGIN; the Ref.
  std::string hire(const std::string& login) const {
    const std::string person =
        by_admin("POST", "person", R"({"LastName": "x", "IsAnalyst": true, "LoginId": ")" + login + "\"}")["Ref"];
    REQUIRE(by_admin("POST", "person-role", R"({"Role": 2, "Person": )" + person + "}").status == 200);
    REQUIRE(by_admin("PUT", set_password(person), R"({"Password": "hush-)" + login + "\"}").status == 200);
    return person;
  }
  static std::string set_password(const std::string& person) { return "person/" + person + "/set-password"; }

  ServerProcess& server() { return server_; }
  const std::string& folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
  ServerProcess server_;
  std::string admin_;
};

Office& office() {
  static Office office;
  return office;
}

std::string passwords(const std::string& next, const std::string& current) {
  return R"({"Password": ")" + next + R"(", "CurrentPassword": ")" + current + "\"}";
}

}  // namespace

TEST_CASE("one's own password needs the current one, and ends one's other sessions") {
  const std::string anna = office().hire("anna"), url = Office::set_password(anna);
  const std::string here = office().token("anna", "hush-anna"), elsewhere = office().token("anna", "hush-anna");
  for (const std::string& body :
       {std::string(R"({"Password": "hush-second"})"), passwords("hush-second", "hush-wrong"),
        std::string(R"({"Password": "hush-second", "CurrentPassword": null})"), passwords("hush-second", "")}) {
    const Reply refused = office().send(here, "PUT", url, body);
    CHECK(refused.status == 400);
    CHECK(refused["Message"].starts_with("CurrentPassword:"));
  }
  CHECK(office().sign_in("anna", "hush-second").status == 400);
  CHECK(office().send(elsewhere, "GET", "person/" + anna, {}).status == 200);

  CHECK(office().send(here, "PUT", url, passwords("hush-second", "hush-anna")).status == 200);
  CHECK(office().sign_in("anna", "hush-anna").status == 400);
  CHECK(office().sign_in("anna", "hush-second").status == 200);
  CHECK(office().send(elsewhere, "GET", "person/" + anna, {}).status == 401);
  CHECK(office().send(here, "GET", "person/" + anna, {}).status == 200);

  const std::string inside = R"({"$action": )" + passwords("hush-third", "hush-wrong") + "}";
  CHECK(office().send(here, "PUT", url, inside).status == 400);
  CHECK(office().send(here, "PUT", url, R"({"$action": )" + passwords("hush-third", "hush-second") + "}").status ==
        200);
  CHECK(office().sign_in("anna", "hush-third").status == 200);
}

TEST_CASE("a user sets the own password as well") {
  const Reply session = office().sign_in("user", "callisto", "User");
  const std::string access = session["access_token"];
  CHECK(office().send(access, "PUT", Office::set_password("4"), R"({"Password": "hush-user-2"})").status == 400);
  CHECK(office().send(access, "PUT", Office::set_password("4"), passwords("hush-user-2", "callisto")).status == 200);
  CHECK(office().send(access, "PUT", Office::set_password("5"), passwords("hush-user-2", "callisto")).status == 404);
  CHECK(office().sign_in("user", "hush-user-2", "User").status == 200);
}

TEST_CASE(
    "the own password is set and guessed as often as signing in is tried; administrators set others' as they must") {
  const TemporaryFolder folder;
  const ServerProcess server(folder.path(), {"--samples", "--set", "oauth.attempts_per_minute=4"});
  const Client user(server, server.token("user", "session-type:User")), admin(server, server.token("admin"));
  const std::string url = "v1/person/4/set-password";
  for (const std::string& body : {std::string(R"({"Password": "hush-user"})"), passwords("hush-user", "hush-wrong"),
                                  std::string("{}"), std::string("{")})
    CHECK(user.send("PUT", url, body).status == 400);
  CHECK(user.send("PUT", url, passwords("hush-user", "callisto")).status == 200);
  CHECK(user.send("PUT", url, passwords("hush-user-2", "hush-user")).status == 200);
  const Answer refused = user.send("PUT", url, passwords("hush-user-3", "hush-user-2"));
  CHECK(refused.status == 429);
  CHECK(refused.headers.count("retry-after") == 1);
  CHECK(user.send("PUT", "v1/person/5/set-password", passwords("hush-user-3", "hush-user-2")).status == 404);
  for (int i = 0; i < 6; ++i)
    CHECK(admin.send("PUT", "v1/person/5/set-password", R"({"Password": "hush-given"})").status == 200);
}

TEST_CASE("another's password is set by administrators alone, without the current one") {
  const std::string bert = office().hire("bert"), url = Office::set_password(bert);
  const std::string session = office().token("bert", "hush-bert"), analyst = office().token("analyst2", "callisto");
  for (const std::string& body :
       {std::string(R"({"Password": "hush-taken"})"), passwords("hush-taken", "hush-bert"), std::string("{}")}) {
    const Reply refused = office().send(analyst, "PUT", url, body);
    CHECK(refused.status == 403);
    CHECK(refused["SubStatus"] == "NotAllowed");
  }
  CHECK(office().sign_in("bert", "hush-bert").status == 200);
  CHECK(office().by_admin("PUT", url, R"({"Password": "hush-given"})").status == 200);
  CHECK(office().send(session, "GET", "person/" + bert, {}).status == 401);
  CHECK(office().sign_in("bert", "hush-bert").status == 400);
  CHECK(office().sign_in("bert", "hush-given").status == 200);
  // For oneself an administrator needs it as everybody does.
  CHECK(office().by_admin("PUT", Office::set_password("1"), R"({"Password": "hush-admin"})").status == 400);
}

TEST_CASE("a password that cannot be one is refused with the name of the parameter") {
  const std::string url = Office::set_password(office().hire("carl"));
  const std::pair<std::string, const char*> bodies[] = {
      {R"({"Password": "hush-7"})", "Password"},
      {R"({"Password": ""})", "Password"},
      {R"({"Password": null})", "Password"},
      {"{}", "Password"},
      {R"({"$action": {"Password": "hush-7"}})", "Password"},
      {R"({"Password": ["hush-in-a-list"]})", "Password"},
      {R"({"Password": {"hush-name": "hush-value"}})", "Password"},
      {R"({"Password": "hush-)" + std::string(1100, 'x') + "\"}", "Password"},
      {R"({"Password": "hush-long-enough", "CurrentPassword": [true]})", "CurrentPassword"}};
  for (const auto& [body, name] : bodies) {
    INFO(body.substr(0, 100));
    const Reply refused = office().by_admin("PUT", url, body);
    INFO(refused.raw);
    CHECK(refused.status == 400);
    CHECK(refused.errors() == std::set<std::string>{name});
  }
  CHECK(office().by_admin("PUT", url, R"({"Pasword": "hush-misspelt"})").errors().count("Pasword") == 1);
  CHECK(office().by_admin("PUT", url, R"({"Password": "hush-broken)").status == 400);
  CHECK(office().sign_in("carl", "hush-carl").status == 200);
}

TEST_CASE("ten wrong guesses at the current password lock the account; who is refused does not guess") {
  const std::string dora = office().hire("dora"), url = Office::set_password(dora);
  const std::string session = office().token("dora", "hush-dora"), analyst = office().token("analyst2", "callisto");
  // Where she signed in lately a lock does not hold until somebody guesses wrong there, which this makes sure of.
  const auto signs_in = [] {
    CHECK(office().sign_in("dora", "hush-wrong").status == 400);
    return office().sign_in("dora", "hush-dora").status == 200;  // and forgets earlier guesses
  };
  for (int i = 0; i < 10; ++i)
    CHECK(office().send(analyst, "PUT", url, passwords("hush-taken", "hush-guess")).status == 403);
  CHECK(signs_in());
  for (int i = 0; i < 10; ++i)
    CHECK(office().send(session, "PUT", url, passwords("hush-taken", "hush-guess")).status == 400);
  CHECK(office().send(session, "PUT", url, passwords("hush-taken", "hush-dora")).status == 400);
  const std::string noted = bytes_of(office().folder() + "/audit.jsonl");
  for (const char* reason : {"wrong password", "locked after wrong guesses"})
    CHECK(noted.find("\"action\":\"set-password\",\"reason\":\"" + std::string(reason)) != std::string::npos);
  CHECK_FALSE(signs_in());
  // An administrator's new one opens it again.
  CHECK(office().by_admin("PUT", url, R"({"Password": "hush-again"})").status == 200);
  CHECK(office().sign_in("dora", "hush-again").status == 200);
}

TEST_CASE("a client with a secret must send it from then on") {
  const Reply made =
      office().by_admin("POST", "client", R"({"ClientId": "robot", "Name": "Robot", "Grants": "password"})");
  REQUIRE(made.status == 200);
  CHECK(made["HasSecret"] == "false");
  const std::string url = "client/" + made["Ref"] + "/set-secret";
  const std::string form =
      "client_id=robot&grant_type=password&username=analyst2&password=callisto"
      "&scope=session-type:Analyst";
  CHECK(office().form(form).status == 200);
  CHECK(office().by_admin("PUT", url, R"({"Secret": "hush-7"})").errors() == std::set<std::string>{"Secret"});
  CHECK(office().send(office().token("analyst2", "callisto"), "PUT", url, R"({"Secret": "hush-robot"})").status == 403);
  CHECK(office().form(form).status == 200);
  CHECK(office().by_admin("PUT", url, R"({"Secret": "hush-robot"})")["HasSecret"] == "true");
  CHECK(office().form(form)["error"] == "invalid_client");
  CHECK(office().form(form + "&client_secret=hush-wrong").status == 401);
  CHECK(office().form(form + "&client_secret=hush-robot").status == 200);
  CHECK(office().by_admin("PUT", url, R"({"$action": {"Secret": "hush-robot-2"}})").status == 200);
  CHECK(office().form(form + "&client_secret=hush-robot").status == 401);
  CHECK(office().form(form + "&client_secret=hush-robot-2").status == 200);
}

TEST_CASE("an action tells which of its parameters are secret") {
  const auto secrets = [](std::string_view path) {
    std::string all;
    const Reply options = office().by_admin("GET", path, {});
    REQUIRE(options.body.find("parameters"));
    for (const json::Node& each : options.body.find("parameters")->items())
      all += text_of(each, "name") + "=" + text_of(each, "secret") + " ";
    return all;
  };
  CHECK(secrets("person/$set-password?$options") == "Password=new CurrentPassword=current ");
  CHECK(secrets("client/$set-secret?$options") == "Secret=new ");
  CHECK(secrets("call/$close?$options").find("=new") == std::string::npos);
}

TEST_CASE("no secret stands in a log, in the audit trail, in the database or on the server's output") {
  Office own;
  own.hire("emil");
  const std::string session = own.token("emil", "hush-emil");
  for (const char* current : {"hush-wrong", "hush-emil"})
    own.send(session, "PUT", Office::set_password("45"), passwords("hush-new", current));
  own.by_admin("PUT", Office::set_password("4"), R"({"Password": "hush-broken)");
  own.by_admin("PUT", Office::set_password("4") + "?x=y", R"({"Password": "hush-7"})");
  own.by_admin("PUT", "client/3/set-secret", R"({"Secret": "hush-client"})");  // whose sessions end
  own.form("client_id=sample-app&grant_type=password&username=emil&password=hush-wrong&scope=session-type:User");
  CHECK(own.by_admin("GET", "person?$filter=LoginId%3D%3D%22EMIL%22&$select=*", {}).status == 200);
  const auto look = [&] {
    std::size_t files = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(own.folder())) {
      if (!file.is_regular_file()) continue;
      ++files;
      INFO(file.path());
      const std::string bytes = bytes_of(file.path());
      const std::size_t found = bytes.find(mark);
      CHECK((found == bytes.npos ? "" : bytes.substr(found, 20)) == "");
    }
    CHECK(files >= 3);
  };
  look();
  CHECK(bytes_of(own.folder() + "/audit.jsonl").find("set-password") != std::string::npos);
  own.server().stop();
  CHECK(bytes_of(own.folder() + "/errors.txt").find("stopping") != std::string::npos);  // the log is what was searched
  CHECK(own.server().printed_until({}).find(mark) == std::string::npos);
  look();
}
