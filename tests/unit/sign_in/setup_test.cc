// The setup link: who may make the first administrator, how often and for how long.
#include "engine/sign_in/setup.h"

#include "engine/auth/password.h"
#include "engine/base/percent.h"
#include "engine/sign_in/pages/document.h"
#include "tests/support/fixed_clock.h"
#include "tests/support/seeded_random.h"

#include <catch2/catch.hpp>

#include <map>

using namespace callisto;
using namespace callisto::sign_in;

namespace {

class Sent final : public http::Request {
 public:
  Sent(std::string_view sent_method, std::string_view path, std::string_view query, std::string form = {})
      : form_(std::move(form)) {
    method = sent_method;
    raw_path = path;
    raw_query = query;
    remote_address = "192.0.2.1";
  }
  std::string_view header(std::string_view) const override { return {}; }
  std::size_t header_count(std::string_view) const override { return 0; }
  Result<std::string> body(std::size_t limit) override {
    if (form_.size() > limit) return payload_too_large("too large");
    return form_;
  }
  Result<void> read_body(std::size_t, const http::BodySink&) override { return internal("not used"); }

 private:
  std::string form_;
};

constexpr std::string_view path = "/oauth/setup";

struct Desk {
  Desk()
      : setup(std::string(path), "Hollerbach IT", clock, random,
              [this](const std::string& login, const std::string& hash, const std::string&) -> Result<std::string> {
                if (refusal) return *refusal;
                made[login] = hash;
                return client;
              }) {}

  void offer() {
    const std::string link = setup.offer();
    REQUIRE(link.starts_with(std::string(path) + "?token="));
    token = link.substr(link.find('=') + 1);
    CHECK(token.size() == 43);  // 256 bits
  }
  http::Response get(const std::string& query) {
    http::Response response;
    Sent request("GET", path, query);
    REQUIRE(setup.handle(request, response));
    return response;
  }
  http::Response post(const std::map<std::string, std::string>& changes = {}) {
    std::map<std::string, std::string> fields{
        {"token", token}, {"username", "ada"}, {"password", "correct horse"}, {"repeated", "correct horse"}};
    for (const auto& [name, value] : changes) fields[name] = value;
    std::string form;
    for (const auto& [name, value] : fields) {
      form += (form.empty() ? "" : "&") + name + "=";
      append_encoded(form, value);
    }
    return post_form(form);
  }
  http::Response post_form(const std::string& form) {
    http::Response response;
    Sent request("POST", path, "", form);
    REQUIRE(setup.handle(request, response));
    return response;
  }

  testing::FixedClock clock;
  testing::SeededRandom random;
  std::optional<Error> refusal;
  std::string client;
  std::map<std::string, std::string> made;
  std::string token;
  Setup setup;
};

std::string header(const http::Response& response, std::string_view name) {
  for (const auto& [each, value] : response.headers)
    if (each == name) return value;
  return "(none)";
}

bool says(const http::Response& response, std::string_view text) {
  return response.body.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("the link shows a form, and the form makes an administrator, once") {
  Desk desk;
  desk.offer();
  for (int i = 0; i < 3; ++i) {
    const auto page = desk.get("token=" + desk.token);
    CHECK(page.status == 200);
    CHECK(says(page, "<form method=\"post\" action=\"setup\">"));
    CHECK(says(page, desk.token));
  }
  const auto done = desk.post();
  CHECK(done.status == 200);
  REQUIRE(desk.made.count("ada") == 1);
  const auto hash = auth::PasswordHash::parse(desk.made["ada"]);
  REQUIRE(hash);
  CHECK(hash->verify("correct horse"));
  CHECK_FALSE(says(done, "correct horse"));
  desk.made.clear();
  CHECK(desk.post().status == 404);
  CHECK(desk.get("token=" + desk.token).status == 404);
  CHECK(desk.made.empty());
}

TEST_CASE("every page runs nothing, frames nowhere, is not kept and tells its address to nobody") {
  Desk desk;
  desk.offer();
  const auto shown = desk.get("token=" + desk.token), refused = desk.post({{"password", "x"}});
  const auto done = desk.post(), gone = desk.post();
  for (const auto* page : {&shown, &refused, &done, &gone}) {
    CHECK(page->content_type == "text/html; charset=utf-8");
    CHECK(header(*page, "Cache-Control") == "no-store");
    CHECK(header(*page, "Referrer-Policy") == "no-referrer");
    CHECK(header(*page, "X-Frame-Options") == "DENY");
    const bool has_form = says(*page, "<form");
    CHECK(header(*page, "Content-Security-Policy") ==
          "default-src 'none'; style-src " + style_source() + "; img-src data:; form-action " +
              (has_form ? "'self'" : "'none'") + "; frame-ancestors 'none'; base-uri 'none'");
    CHECK(has_form == (page == &shown || page == &refused));
    CHECK(says(*page, "<span>Hollerbach IT</span>"));
    CHECK_FALSE(says(*page, "<script"));
    CHECK(page->body.starts_with("<!doctype html>"));
  }
}

TEST_CASE("a token that is wrong, missing, doubled, old, or of an earlier link is a page of 404") {
  Desk desk;
  CHECK(desk.get("").status == 404);  // nothing was offered
  CHECK(desk.get("token=").status == 404);
  CHECK(desk.post({{"token", ""}}).status == 404);
  desk.offer();
  const std::string first = desk.token;
  std::string wrong = first;
  wrong[5] = wrong[5] == 'A' ? 'B' : 'A';
  for (const std::string& query :
       {std::string(), std::string("token="), "token=" + wrong, "token=" + first + "a", "Token=" + first,
        "token=" + first + "&token=" + first, "token=" + first + "%zz", "token=" + first.substr(1)}) {
    INFO(query);
    const auto page = desk.get(query);
    CHECK(page.status == 404);
    CHECK_FALSE(says(page, "<form"));
  }
  CHECK(desk.post({{"token", wrong}}).status == 404);
  CHECK(desk.post_form("").status == 404);
  CHECK(desk.post_form("username=%zz&token=" + first).status == 404);
  CHECK(desk.post_form(std::string(40'000, 'a')).status == 404);
  desk.clock.advance_ms(Setup::lifetime_ms - 1);
  CHECK(desk.get("token=" + first).status == 200);
  desk.clock.advance_ms(1);
  CHECK(desk.get("token=" + first).status == 404);
  CHECK(desk.post().status == 404);
  desk.offer();
  CHECK(desk.token != first);
  CHECK(desk.post({{"token", first}}).status == 404);
  CHECK(desk.made.empty());
  CHECK(desk.post().status == 200);
}

TEST_CASE("what does not fit is told at the form, and the link stays good") {
  struct Case {
    std::map<std::string, std::string> fields;
    std::string said;
  };
  const std::string long_password(1025, 'x');
  const std::vector<Case> cases{
      {{{"username", ""}}, "Choose a user name."},
      {{{"username", "  "}}, "Choose a user name."},
      {{{"username", std::string(81, 'a')}}, "at most 80"},
      {{{"username", "a\nb"}}, "nobody can type"},
      {{{"password", "sevenxx"}, {"repeated", "sevenxx"}}, "at least 8"},
      {{{"password", "\xF0\x9F\x8C\x99\xF0\x9F\x8C\x99"}, {"repeated", "\xF0\x9F\x8C\x99\xF0\x9F\x8C\x99"}},
       "at least 8"},
      {{{"password", long_password}, {"repeated", long_password}}, "at most 1024"},
      {{{"repeated", "correct house"}}, "not the same"},
      {{{"repeated", ""}}, "not the same"},
  };
  Desk desk;
  desk.offer();
  for (const Case& each : cases) {
    INFO(each.said);
    const auto page = desk.post(each.fields);
    CHECK(page.status == 400);
    CHECK(says(page, each.said));
    CHECK(says(page, "<form"));
    CHECK_FALSE(says(page, "correct horse"));
    // The field that changed is the one at fault: it alone is marked.
    const std::string mark = "aria-invalid=\"true\"";
    const std::size_t marked = page.body.find(mark);
    REQUIRE(marked != std::string::npos);
    const std::size_t input = page.body.rfind("<input id=\"" + each.fields.begin()->first + "\"", marked);
    REQUIRE(input != std::string::npos);
    CHECK(page.body.substr(input, marked - input).find('>') == std::string::npos);
    CHECK(page.body.find(mark, marked + 1) == std::string::npos);
  }
  const auto escaped = desk.post({{"username", "\"><b>"}, {"password", "short"}});
  CHECK(says(escaped, "value=\"&quot;&gt;&lt;b&gt;\""));
  CHECK_FALSE(says(escaped, "<b>"));
  desk.refusal = bad_format("the login ADA is taken");
  const auto taken = desk.post();
  CHECK(taken.status == 400);
  CHECK(says(taken, "the login ADA is taken"));
  desk.refusal = internal("SELECT * FROM secret");
  const auto failed = desk.post();
  CHECK(failed.status == 500);
  CHECK_FALSE(says(failed, "SELECT"));
  desk.refusal.reset();
  CHECK(desk.made.empty());
  CHECK(desk.post().status == 200);
}

TEST_CASE("a password may be any Unicode, from 8 to 1024 characters") {
  std::string moons, snow;
  for (int i = 0; i < 1024; ++i) moons += "\xF0\x9F\x8C\x99";
  for (int i = 0; i < 8; ++i) snow += "\xE2\x98\x83";
  for (const std::string& password : {std::string(" 8 blanks"), snow, moons}) {
    Desk desk;
    desk.offer();
    REQUIRE(desk.post({{"username", " \xC3\x89lodie "}, {"password", password}, {"repeated", password}}).status == 200);
    REQUIRE(desk.made.count("\xC3\x89lodie") == 1);
    CHECK(auth::PasswordHash::parse(desk.made.begin()->second)->verify(password));
  }
}

TEST_CASE("other paths and methods are not the link's") {
  Desk desk;
  desk.offer();
  http::Response response;
  Sent elsewhere("GET", "/oauth/setup/x", "token=" + desk.token);
  CHECK_FALSE(desk.setup.handle(elsewhere, response));
  Sent deleted("DELETE", path, "");
  REQUIRE(desk.setup.handle(deleted, response));
  CHECK(response.status == 405);
  CHECK(header(response, "Allow") == "GET, HEAD, POST");
}
