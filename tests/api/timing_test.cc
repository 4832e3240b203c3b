// What a session does not see takes no part in how long it waits: a question about a hidden record that would satisfy
// it, about one that would not, and about none at all, asked in turn, are answered alike. Each question is made so
// that one term decides whether a dear one is evaluated; a database that looks at hidden rows with a client's terms
// answers one of the three in a multiple of the others' time.
#include "desk.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <functional>

namespace {

using namespace callisto;
using namespace callisto::tests;

std::string repeated(int times, const std::string& separator, const std::function<std::string(int)>& part) {
  std::string text;
  for (int i = 0; i < times; ++i) text += (i == 0 ? "" : separator) + part(i);
  return text;
}

// None of it holds, and each is looked for in the whole text.
std::string dear(const std::string& path, int times = 150) {
  return "(" + repeated(times, " || ", [&](int i) { return path + ".Contains(\"q" + std::to_string(i) + "~\")"; }) +
         ")";
}

struct Question {
  std::string name, login, entity;
  std::vector<Query> variants;  // that must not be told apart
};

// Other work on the machine only adds to a time, and to some of them more than to others: the quick ones tell.
double lower_quartile(std::vector<double> times) {
  const auto quarter = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 4);
  std::nth_element(times.begin(), quarter, times.end());
  return *quarter;
}

// The slowest lower quartile over the fastest, of questions asked in turn.
double spread(const Desk& desk, const Question& question, int rounds) {
  std::vector<std::vector<double>> times(question.variants.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < times.size(); ++i) {
      const std::size_t variant = (i + static_cast<std::size_t>(round)) % times.size();
      const auto begin = std::chrono::steady_clock::now();
      const Reply reply = desk.get(question.login, question.entity, question.variants[variant]);
      const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
      INFO(question.name << " " << reply.raw);
      REQUIRE(reply.status == 200);
      REQUIRE((reply.raw == "0" || reply.raw.find("\"results\":[]") != std::string::npos));
      times[variant].push_back(time.count());
    }
  std::vector<double> quartiles;
  for (auto& each : times) quartiles.push_back(lower_quartile(std::move(each)));
  const auto [fastest, slowest] = std::minmax_element(quartiles.begin(), quartiles.end());
  return *slowest / *fastest;
}

// A machine at work tells times apart that are the same, now and then; not each time. A leak takes a multiple.
void check_alike(const Desk& desk, const Question& question) {
  constexpr int attempts = 12, rounds = 90;
  // PostgreSQL takes some 20 us of 200 longer for the history of a hidden record than of none. That is wider than it
  // should be, and its cause is not known yet.
  const double alike = is_on_postgres() ? 1.2 : 1.1;
  double least = spread(desk, question, 10);  // statements are prepared, caches filled
  for (int i = 0; i < attempts && (i == 0 || least > alike); ++i)
    least = i == 0 ? spread(desk, question, rounds) : std::min(least, spread(desk, question, rounds));
  INFO(question.login << ", " << question.name << ": " << least);
  CHECK(least <= alike);
}

// In another partition than the analyst's: keys of a record whose text begins with the secret, and of one that does
// not.
struct Hidden {
  std::string told, other, missing = "999999999";
};

Hidden hide(const Desk& desk) {
  const auto make = [&](const std::string& text) {
    const std::string body = R"({"Partition": 2, "User": 11, "CustomString1": ")" + text + R"(", "Description": ")" +
                             repeated(60, " ", [](int) { return std::string("a long text of many words"); }) + "\"}";
    const std::string ref = desk.done("admin", "POST", "incident", body)["Ref"];
    for (int i = 0; i < 6; ++i) desk.done("admin", "PUT", "call/" + ref + "/add-note", R"({"Description": "noted"})");
    return ref;
  };
  return {make("secret of the safe"), make("nothing")};
}

// About a record by its key, as each of the three.
Question about(const Hidden& hidden, std::string name, std::string login, std::string entity,
               const std::function<Query(const std::string& key)>& query) {
  Question question{std::move(name), std::move(login), std::move(entity), {}};
  for (const std::string& key : {hidden.told, hidden.other, hidden.missing}) question.variants.push_back(query(key));
  return question;
}

std::vector<Question> questions_of(const Hidden& hidden, const std::string& login) {
  const std::string secret = "CustomString1.StartsWith(\"secret\")";
  const auto filter = [](std::string text) { return Query{{"$count", "true"}, {"$filter", std::move(text)}}; };
  const auto of_key = [&](const std::string& name, const std::string& rest) {
    return about(hidden, name, login, "call",
                 [&, rest](const std::string& key) { return filter("Ref == " + key + " && " + rest); });
  };
  std::vector<Question> all{
      of_key("a cheap term before a dear one", "(" + secret + " || Ref == 0) && " + dear("Description")),
      of_key("a term that must not hold", "!(" + secret + " && " + dear("Description") + ")"),
      of_key("dear relations", "(" + secret + " || Ref == 0) && " + dear("User.Manager.Name", 40)),
      of_key("two properties compared", "CustomString1 != CustomString2 && " + dear("Description")),
  };
  all.push_back(about(hidden, "an order", login, "call", [&](const std::string& key) {
    return Query{{"$filter", "Ref == " + key + " && " + secret + " && " + dear("Description")},
                 {"$orderby", "User.Name,Description desc"},
                 {"$top", "5"}};
  }));
  for (const char* kind : {"$leftJoin", "$innerJoin"})
    all.push_back(about(hidden, kind, login, "partition", [&, kind](const std::string& key) {
      return Query{{kind, "J:call(Ref==" + key + ")"},
                   {"$filter", "J.CustomString1.StartsWith(\"secret\") && " + dear("J.Description")},
                   {"$count", "true"}};
    }));
  all.push_back(about(hidden, "what hangs on the record", login, "call-history", [&](const std::string& key) {
    return filter("TicketId == " + key + " && Description.StartsWith(\"not\") && " + dear("Description"));
  }));
  return all;
}

}  // namespace

TEST_CASE("the time of an answer tells nothing of a record that the session does not see") {
  const Desk desk;
  const Hidden hidden = hide(desk);
  for (const std::string login : {"analyst", "user2"})
    for (const Question& question : questions_of(hidden, login)) check_alike(desk, question);
}

TEST_CASE("the time of a search for a word tells nothing of texts that the session does not see") {
  const Desk desk;
  for (int i = 0; i < 300; ++i) {
    desk.done("admin", "POST", "incident",
              R"({"Partition": 2, "User": 11, "ShortDescription": "merger with Orionides"})");
    desk.done("admin", "POST", "knowledge", R"({"Title": "Drafted for Orionides"})");
  }
  const auto words = [](const std::string& login, const std::string& entity, const std::string& property) {
    Question question{login + " " + entity, login, entity, {}};
    for (const char* word : {"orionides", "orionidas"})
      question.variants.push_back({{"$count", "true"}, {"$filter", property + ".Contains(\"" + word + "\")"}});
    return question;
  };
  check_alike(desk, words("analyst", "call", "ShortDescription"));
  check_alike(desk, words("user2", "call", "ShortDescription"));
  check_alike(desk, words("user2", "knowledge", "Title"));
}
