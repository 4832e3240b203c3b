// The words that all scripts have beside Lua's: searches by filter, text, json, log; and that no call keeps anything.
#include "fake_host.h"

#include <algorithm>

using namespace callisto;
using namespace callisto::script;
using Catch::Contains;

namespace {

// What went wrong in the body of an action; empty: nothing.
std::string failure_of(const std::string& body, const std::string& before = {}) {
  Library library;
  library.add(FileKind::Action, "go",
              before + "return action \"go\" { run = function(record, input, session)\n" + body + "\nend }");
  FakeHost host(library);
  const auto done = host.run(host.add("book", {{"Title", std::string("Ulysses")}}), "go");
  if (done) return {};
  return done.error().log_detail.empty() ? done.error().message : done.error().log_detail;
}

std::vector<Host::Query> asked_by(const std::string& body) {
  Library library;
  library.run("go", body);
  FakeHost host(library);
  const auto done = host.run(host.add("book"), "go");
  INFO((done ? std::string() : done.error().log_detail));
  REQUIRE(done);
  return host.queries;
}

}  // namespace

TEST_CASE("a search hands its filter, its values and its options to the host") {
  const auto queries = asked_by(R"lua(
    desk.search("book", "Reader == ? && State in (?) && Title == ?", record, { 1, 2 }, nil, { orderby = "Due desc", top = 10 })
    desk.first("book", "Pages > ?", 3, { orderby = "Title" })
    desk.count("book")
    desk.search("book", "State in (?)", {})
  )lua");
  REQUIRE(queries.size() == 4);
  CHECK(queries[0].filter == "Reader == ? && State in (?) && Title == ?");
  REQUIRE(queries[0].given.size() == 3);
  CHECK(queries[0].given[0].values == std::vector<Value>{Value(std::int64_t{1})});
  CHECK(queries[0].given[1].values == std::vector<Value>{Value(std::int64_t{1}), Value(std::int64_t{2})});
  CHECK(queries[0].given[1].is_list);
  CHECK(queries[0].given[2].values == std::vector<Value>{Value(Null{})});
  CHECK(queries[0].orderby == "Due desc");
  CHECK(queries[0].top == std::size_t{10});
  CHECK(queries[1].top == std::size_t{1});
  CHECK(queries[2].filter.empty());
  CHECK(queries[3].given[0].values.empty());
}

TEST_CASE("what a search cannot take is told in its line") {
  const std::pair<const char*, const char*> cases[] = {
      {"desk.search('book', 'State == ?')", "the filter has 1 '?', and 0 values are given"},
      {"desk.search('book', 'State == 1', 2)", "the filter has 0 '?', and 1 values are given"},
      {"desk.search('book', 'State == ?', function() end)",
       "a '?' of the filter stands for a value, a record or a list"},
      {"desk.search('book', 'State == 1', { tpo = 3 })", "a search has no option 'tpo'; did you mean 'top'?"},
      {"desk.search('book', 'State == 1', { top = 0 })", "top is a whole number from 1 to 1000"},
      {"desk.search('book', 'State == 1', { orderby = 1 })", "orderby is a text"},
      {"desk.count('book', { State = 1 })", "desk.count takes a filter"},
      {"desk.count('book', 'State == 1', { top = 1 })", "a search has no option 'top'"},
      {"desk.search('book', 7)", "a filter is expected here"},
      {"local d = desk; d:search('book')", "called with a dot, not with a colon"},
      {"desk.find('book', 1, 2)", ""},
      {"desk.find('bok', 1)", "there is no entity 'bok'; did you mean 'book'?"},
  };
  for (const auto& [body, told] : cases) {
    CAPTURE(body);
    if (*told) CHECK_THAT(failure_of(body), Contains(told));
    else CHECK(failure_of(body).empty());
  }
}

TEST_CASE("texts are those of all of Unicode") {
  CHECK(failure_of(R"lua(
    assert(text.lower "ÄÖÜ Σ" == "äöü σ")
    assert(text.upper "straße é" == "STRAßE É")
    assert(text.fold "ÄÖÜ" == text.fold "äöü")
    assert(text.trim "\194\160 \t x y \226\128\131\n" == "x y")
    assert(text.trim "" == "" and text.trim " \n " == "" and text.trim "x" == "x")
    local parts = text.split("a;b;;ü", ";")
    assert(#parts == 4 and parts[3] == "" and parts[4] == "ü")
    assert(#text.split("", ",") == 1 and #text.split("a--b", "--") == 2)
  )lua")
            .empty());
  CHECK_THAT(failure_of("text.lower(\"\\255\")"), Contains("no UTF-8"));
  CHECK_THAT(failure_of("text.split('a', '')"), Contains("a separator has at least one character"));
  CHECK_THAT(failure_of("text.lower(nil)"), Contains("string expected"));
}

TEST_CASE("JSON goes out and comes in as it was") {
  CHECK(failure_of(R"lua(
    assert(json.encode { b = { 1, 2.5, true }, a = "x\"\n" } == '{"a":"x\\"\\n","b":[1,2.5,true]}')
    assert(json.encode {} == "{}" and json.encode(json.list {}) == "[]" and json.encode(null) == "null")
    assert(json.encode(datetime.parse "2026-01-02T03:04:05Z") == '"2026-01-02T03:04:05.000Z"')
    local it = json.decode '{"a":[1,null,"ü"],"b":null,"c":{"d":1e3},"e":[]}'
    assert(#it.a == 3 and it.a[3] == "ü" and it.b == nil and it.c.d == 1000)
    assert(json.encode(it) == '{"a":[1,null,"ü"],"c":{"d":1000},"e":[]}')
    assert(tostring(json.decode "9007199254740993") == "9007199254740993")
  )lua")
            .empty());
  CHECK_THAT(failure_of("json.encode { 1, x = 2 }"), Contains(""));
  CHECK_THAT(failure_of("json.encode { [{}] = 1 }"), Contains("a table is a list or has names"));
  CHECK_THAT(failure_of("json.encode(record)"), Contains("JSON cannot hold"));
  CHECK_THAT(failure_of("local a = {}; a.a = a; json.encode(a)"), Contains("deep in each other"));
  CHECK_THAT(failure_of("json.encode(0/0)"), Contains("JSON cannot hold"));
  CHECK_THAT(failure_of("json.decode '{\"a\":}'"), Contains("line 1"));
  CHECK_THAT(failure_of("json.decode(('['):rep(40))"), Contains("deep"));
}

TEST_CASE("the log takes lines, and needs something to write") {
  CHECK(failure_of("log.info('seen', 1, record.Title, nil) log.warn(true) for i = 1, 100 do log.info(i) end").empty());
  CHECK_THAT(failure_of("log.info()"), Contains("needs a text to write"));
}

TEST_CASE("what stands outside of a function is not changed by a call") {
  CHECK_THAT(failure_of("kept = kept + 1", "local kept = 0\n"), Contains("'kept' stands outside of the function"));
  CHECK_THAT(failure_of("kept[1] = record.Title", "local kept = {}\n"),
             Contains("'kept' stands outside of the function"));
  CHECK_THAT(failure_of("note()", "local kept\nlocal function note() kept = 1 end\n"),
             Contains("'kept' stands outside"));
  CHECK(
      failure_of("assert(kept[1] == 1) local own = kept own = { own[1] } own[1] = 2", "local kept = { 1 }\n").empty());
}

TEST_CASE("a call after one that kept something finds nothing of it") {
  Library library;
  library.add(FileKind::Action, "go", R"(local kept = 0
    return action "go" { run = function(record) kept = kept + 1 record.Pages = kept end })");
  library.add(FileKind::Action, "look", R"(local kept = 0
    return action "look" { run = function(record) record.Pages = kept end })");
  FakeHost host(library);
  const auto book = host.add("book");
  CHECK_FALSE(host.run(book, "go"));
  CHECK_FALSE(host.run(book, "go"));
  CHECK(host.value(book, "Pages") == Value(std::int64_t{1}));
  CHECK(host.run(book, "look"));
}

TEST_CASE("slips that look like other languages say what to write") {
  CHECK_THAT(failure_of("return record.Pages.Name", ""), Contains("attempt to index"));  // null is nil
  CHECK_THAT(failure_of("record.Pages = 3 return record.Pages.Name"),
             Contains("a number has no 'Name'; a lookup is the key"));
  CHECK_THAT(failure_of("return datetime.now() + 3600"), Contains("datetime.add(moment, days, hours, minutes)"));
  CHECK_THAT(failure_of("return 2 * datetime.now()"), Contains("datetime.add(moment"));
}
