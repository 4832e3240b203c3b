#include "fake_host.h"

using namespace callisto;
using namespace callisto::script;
using Catch::Contains;

namespace {

Value whole(std::int64_t value) { return Value(value); }
Value text(std::string value) { return Value(std::move(value)); }

// The log's words on a run that fails.
std::string failure_of(const std::string& body, const NamedValues& input = {}, const std::string& options = "") {
  Library library;
  library.run("lend", body, options);
  FakeHost host(library);
  auto result = host.run(host.add("book", {{"Title", text("Emma")}}), "lend", input);
  REQUIRE_FALSE(result);
  CHECK(result.error().type == "ScriptException");
  return result.error().log_detail;
}

}  // namespace

TEST_CASE("an action's script reads and writes the record through the host") {
  Library library;
  library.run("lend", R"(
    record.Pages = record.Pages + 1
    record.Title = record.Title .. '!'
    record.Due = datetime.parse('2026-01-01T00:00:00Z')
    record.Lent = true
    record.Reader = session.user_id
    record.State = null
    record.Number = nil)");
  FakeHost host(library);
  host.session.user_id = std::int64_t{7};
  auto book =
      host.add("book", {{"Title", text("Emma")}, {"Pages", whole(5)}, {"State", whole(1)}, {"Number", whole(2)}});
  auto result = host.run(book, "lend");
  INFO((result ? std::string() : result.error().log_detail));
  REQUIRE(result);
  CHECK(*result);
  CHECK(host.value(book, "Pages") == whole(6));
  CHECK(host.value(book, "Title") == text("Emma!"));
  CHECK(host.value(book, "Due") == Value(DateTime{1767225600000}));
  CHECK(host.value(book, "Lent") == Value(true));
  CHECK(host.value(book, "Reader") == whole(7));
  CHECK(host.value(book, "State") == Value(Null{}));
  CHECK(host.value(book, "Number") == Value(Null{}));
}

TEST_CASE("a mirror is the lookup that it mirrors") {
  Library library;
  library.run("lend", "record.ReaderId = record.ReaderId + 1");
  FakeHost host(library);
  auto book = host.add("book", {{"Reader", whole(3)}});
  REQUIRE(host.run(book, "lend"));
  CHECK(host.value(book, "Reader") == whole(4));
}

TEST_CASE("exact numbers go through a script unchanged and take their property's scale") {
  Library library;
  library.run("lend", "record.Number, record.Price = record.Number, input.Price", "optional = { decimal \"Price\" },");
  FakeHost host(library);
  auto book = host.add("book", {{"Number", whole(INT64_MAX)}});
  REQUIRE(host.run(book, "lend", {{"Price", Value(Decimal{15, 1})}}));
  CHECK(host.value(book, "Number") == whole(INT64_MAX));
  CHECK(host.value(book, "Price") == Value(Decimal{150, 2}));
  CHECK_THAT(failure_of("record.Price = 1.005"),
             Contains("'Price' takes a Decimal with 2 digits after the point, not 1.005"));
}

TEST_CASE("what a property cannot hold, or is none, fails at its line") {
  CHECK_THAT(failure_of("record.Titel = 'x'"),
             Contains("lend.lua:2: 'book' has no property 'Titel'; did you mean 'Title'?"));
  CHECK_THAT(failure_of("return record.Titel"), Contains("'book' has no property 'Titel'; did you mean 'Title'?"));
  CHECK_THAT(failure_of("record.Pages = 'many'"), Contains("'Pages' takes an Integer, not the text 'many'"));
  CHECK_THAT(failure_of("record.Pages = 3e9"), Contains("'Pages' takes an Integer, not 3000000000"));
  CHECK_THAT(failure_of("record.Title = '\\255'"), Contains("'Title' takes a Text"));
  CHECK_THAT(failure_of("record.Reader = record"),
             Contains("'Reader' takes a Lookup (the record's key), not a record"));
  CHECK_THAT(failure_of("session.user_id = 5"), Contains("a script only reads the session: 'user_id'"));
  CHECK_THAT(failure_of("record.Titel = 'x'"), Contains("action 'lend' (lend.lua:1)"));
}

TEST_CASE("input gives parameters, nil where the request has none") {
  Library library;
  const std::string options = "mandatory = { integer \"Days\" }, optional = { \"Title\", text \"Words\" },";
  library.run("lend", "record.Pages = input.Days  record.Lent = input.Words == nil  record.Title = input.Title",
              options);
  FakeHost host(library);
  auto book = host.add("book");
  REQUIRE(host.run(book, "lend", {{"Days", whole(4)}, {"Title", text("Emma")}}));
  CHECK(host.value(book, "Pages") == whole(4));
  CHECK(host.value(book, "Lent") == Value(true));
  CHECK(host.value(book, "Title") == text("Emma"));
  CHECK_THAT(failure_of("return input.Dasy", {}, options),
             Contains("action 'lend' has no parameter 'Dasy'; did you mean 'Days'?"));
  CHECK_THAT(failure_of("input.Days = 5", {}, options), Contains("what the request said cannot be changed: 'Days'"));
}

TEST_CASE("create reads properties of the request too") {
  Library library;
  library.run("create", "record.Title = (input.Title or 'None') .. (input.Pages or '')");
  FakeHost host(library);
  auto book = host.add("book");
  REQUIRE(host.run(book, "create", {{"Title", text("Emma")}}));
  CHECK(host.value(book, "Title") == text("Emma"));
}

TEST_CASE("a script says that nothing happened by returning false") {
  Library library;
  library.run("no", "return false").run("yes", "").run("nil", "return nil").run("odd", "return 'x'").action("bare", "");
  FakeHost host(library);
  auto book = host.add("book");
  CHECK(*host.run(book, "no") == false);
  for (const char* name : {"yes", "nil", "bare"}) CHECK(*host.run(book, name) == true);
  const auto odd = host.run(book, "odd");
  REQUIRE(!odd);
  CHECK_THAT(odd.error().log_detail + odd.error().message,
             Contains("run returned string; it returns a record, which is the answer, false, or nothing"));
}

TEST_CASE("a hook sees the record as it was") {
  Library library;
  library.hooks(R"(
    before_update = function(record, before, session)
      if record.Title ~= before.Title then record.Pages = 1 end
    end,
    after_update = function(record, before) before.Title = 'x' end)");
  FakeHost host(library);
  auto book = host.add("book", {{"Title", text("Emma")}});
  const catalog::Hooks& hooks = library.entity("book").hooks;
  REQUIRE(library.state().run_hook(hooks.before_update.front(), host, book, host.session));
  CHECK(host.value(book, "Pages") == Value(Null{}));
  REQUIRE(host.set(book, *library.entity("book").find_property("Title"), text("Persuasion")));
  REQUIRE(library.state().run_hook(hooks.before_update.front(), host, book, host.session));
  CHECK(host.value(book, "Pages") == whole(1));
  auto result = library.state().run_hook(hooks.after_update.front(), host, book, host.session);
  REQUIRE_FALSE(result);
  CHECK_THAT(result.error().log_detail, Contains("hook 'after_update' (hooks.lua)") &&
                                            Contains("the record as it was cannot be changed: 'Title'"));
  CHECK(library.state().run_hook(-1, host, book, host.session));
}

TEST_CASE("the last history hook answers, and may ask those before it") {
  const auto row_of = [](const std::string& last) {
    Library library;
    library.action("lend", "optional = { text \"Words\" }");
    library.hooks("history = function(record, before, action) return { Action = action.name, First = true } end");
    library.hooks("history = function() local row = earlier() row.Second = #(earlier().Action) return row end");
    library.hooks("history = function(record, before, action, input, session)\n" + last + "\nend");
    FakeHost host(library);
    auto book = host.add("book", {{"Title", text("Emma")}});
    const catalog::Entity& entity = library.entity("book");
    return library.state().history(entity.hooks.history, *entity.find_action("lend"), host, book, {}, host.session);
  };
  const NamedValues both{{"Action", text("lend")}, {"First", Value(true)}, {"Second", whole(4)}};
  auto row = row_of("return earlier()");
  REQUIRE(row);
  CHECK(**row == both);
  row = row_of("return { Own = 1 }");
  REQUIRE(row);
  CHECK((**row == NamedValues{{"Own", whole(1)}}));
  row = row_of("if earlier() then return nil end");
  REQUIRE(row);
  CHECK_FALSE(row->has_value());
  row = row_of(
      "local done = pcall(function() earlier() error 'x' end) local row = earlier() row.Action = nil return row");
  REQUIRE(row);
  CHECK((*row)->size() == 2);
  CHECK_THAT(row_of("local row = earlier(record) return row").error().log_detail,
             Contains("hooks.lua:2: 'earlier' takes nothing: the hook before gets what this one got"));
}

TEST_CASE("nothing comes before the first history hook, and other code has none before it") {
  Library library;
  library.run("lend", "return earlier()");
  library.hooks("history = function() return { Before = tostring(earlier()) } end");
  FakeHost host(library);
  auto book = host.add("book");
  const catalog::Entity& entity = library.entity("book");
  const catalog::Action& lend = *entity.find_action("lend");
  auto row = library.state().history(entity.hooks.history, lend, host, book, {}, host.session);
  REQUIRE(row);
  CHECK((**row == NamedValues{{"Before", text("nil")}}));
  auto odd = library.state().run(lend, host, book, {}, host.session);
  REQUIRE_FALSE(odd);
  CHECK_THAT(odd.error().log_detail, Contains("'earlier' is for the hook 'history'"));
}

TEST_CASE("what adds to an action is told by its file, and answers nothing") {
  Library library;
  library.run("lend", "record.Pages = (record.Pages or 0) * 10");
  library.add(FileKind::ActionAddition, "lend", R"(return add_to "lend" {
    optional = { integer "By" },
    before = function(book, input) book.Pages = input.By end,
    after  = function(book) if book.Pages > 50 then return "much" end end })");
  FakeHost host(library);
  auto book = host.add("book");
  const catalog::Action& lend = *library.entity("book").find_action("lend");
  REQUIRE(lend.additions.size() == 1);
  const catalog::Addition& addition = lend.additions.front();
  REQUIRE(library.state().run_addition(addition.before, lend, host, book, {{"By", whole(6)}}, host.session));
  REQUIRE(library.state().run(lend, host, book, {}, host.session));
  CHECK(host.value(book, "Pages") == whole(60));
  auto odd = library.state().run_addition(addition.after, lend, host, book, {}, host.session);
  REQUIRE_FALSE(odd);
  CHECK_THAT(odd.error().log_detail, Contains("what runs after action 'lend' (lend+more.lua)") &&
                                         Contains("'after' returned string; what adds to an action returns nothing"));
}

TEST_CASE("a history hook says what the row holds, may raise events, and changes nothing") {
  auto row_of = [](const std::string& body) {
    Library library;
    library.action("lend", "optional = { text \"Words\" }");
    library.hooks("history = function(record, before, action, input, session)\n" + body + "\nend");
    FakeHost host(library);
    auto book = host.add("book", {{"Title", text("Emma")}, {"Number", whole(INT64_MAX)}});
    const catalog::Entity& entity = library.entity("book");
    return library.state().history(entity.hooks.history, *entity.find_action("lend"), host, book,
                                   {{"Words", text("for long")}}, host.session);
  };
  auto row = row_of(
      "return { Action = action.name, Caption = action.title, Description = input.Words, Number = record.Number, "
      "Nothing = null, Gone = input.OfAnotherAction, Raised = record:raise 'Noted' }");
  INFO((row ? std::string() : row.error().log_detail));
  REQUIRE(row);
  REQUIRE(row->has_value());
  CHECK((**row == NamedValues{{"Action", text("lend")},
                              {"Caption", text("Lend")},
                              {"Description", text("for long")},
                              {"Number", whole(INT64_MAX)},
                              {"Nothing", Value(Null{})}}));
  row = row_of("return nil");
  REQUIRE(row);
  CHECK_FALSE(row->has_value());
  CHECK_THAT(row_of("return 5").error().log_detail,
             Contains("values by name are expected here, { Name = value }, not 5"));
  CHECK_THAT(row_of("return { 'x' }").error().log_detail, Contains("a value stands here without a name"));
  CHECK_THAT(row_of("return { Action = {} }").error().log_detail, Contains("'Action' of the history row is a table"));
  CHECK_THAT(row_of("return { A = action.nmae }").error().log_detail,
             Contains("an action has no 'nmae'; did you mean 'name'?"));
  CHECK_THAT(row_of("record.Title = 'x'").error().log_detail, Contains("changes nothing"));
  CHECK_THAT(row_of("record:act 'lend'").error().log_detail, Contains("changes nothing"));
  CHECK_THAT(row_of("desk.create('book', {})").error().log_detail, Contains("changes nothing"));
}

TEST_CASE("a record that run returns is the answer") {
  Library library;
  library.run("lend", "return desk.create('book', { Title = 'second' })");
  FakeHost host(library);
  const auto first = host.add("book");
  REQUIRE(host.run(first, "lend"));
  REQUIRE(host.answered);
  CHECK(*host.answered != first);
}

TEST_CASE("records raise events") {
  Library library;
  library.run("lend", "record:raise 'Lent'");
  FakeHost host(library);
  REQUIRE(host.run(host.add("book"), "lend"));
  CHECK(host.events == std::vector<std::string>{"Lent"});
  CHECK_THAT(failure_of("record:raise 'lent'"), Contains("an event's name begins with a capital"));
  CHECK_THAT(failure_of("record.raise('Lent')"), Contains("write record:raise \"Event\""));
}

TEST_CASE("desk finds, searches and makes other records") {
  Library library;
  library.run("lend", R"(
    local reader = desk.find('reader', 2)
    record.Title = reader.Name
    assert(desk.find('reader', 99) == nil and desk.find('reader', record.Reader) == nil and desk.find('reader', null) == nil)
    record.Pages = #desk.search('reader', { Name = { 'Anne', 'Jane' } })
    assert(#desk.search('reader', { Name = 'Anne' }) == 1 and #desk.search('reader', { Name = {} }) == 0)
    assert(#desk.search('book', { Reader = null }) == 1 and #desk.search('reader', {}) == 3)
    local made = desk.create('book', { Title = 'Sequel', ReaderId = 2 })
    made.Pages = 3
    record.Number = made.Ref)");
  library.hooks("before_create = function(record) record.Lent = false end");
  FakeHost host(library);
  auto book = host.add("book");
  host.add("reader", {{"Name", text("Anne")}});
  host.add("reader", {{"Name", text("Jane")}});
  host.add("reader", {{"Name", text("Mary")}});
  auto result = host.run(book, "lend");
  INFO((result ? std::string() : result.error().log_detail));
  REQUIRE(result);
  CHECK(host.value(book, "Title") == text("Anne"));
  CHECK(host.value(book, "Pages") == whole(2));
  CHECK(host.value(book, "Number") == whole(5));
  CHECK(host.value(4, "Pages") == whole(3));
  CHECK(host.value(4, "Lent") == Value(false));
}

TEST_CASE("desk tells what it does not know") {
  CHECK_THAT(failure_of("desk.find('boook', 1)"), Contains("there is no entity 'boook'; did you mean 'book'?"));
  CHECK_THAT(failure_of("desk.find('book', 'x')"),
             Contains("a key is expected here, a whole number, not the text 'x'"));
  CHECK_THAT(failure_of("desk.search('book', { Titel = 'x' })"),
             Contains("'book' has no property 'Titel'; did you mean 'Title'?"));
  CHECK_THAT(failure_of("desk.search('book', { Title = { 5 } })"), Contains("'Title' takes a Text, not 5"));
  CHECK_THAT(failure_of("desk.search('book', 7)"), Contains("a filter is expected here"));
  CHECK_THAT(failure_of("desk.create('book', { Titel = 'x' })"),
             Contains("action 'create' of 'book' takes no 'Titel'; did you mean 'Title'?"));
  CHECK_THAT(failure_of("desk.create('item', {})"), Contains("'item' is abstract"));
  CHECK_THAT(failure_of("desk.find = nil"), Contains("'desk' cannot be changed by a script"));
}

TEST_CASE("records are the same where they stand for the same") {
  Library library;
  library.run(
      "lend",
      "local a, b = desk.find('book', 1), desk.find('book', 2)  record.Lent = a == record and a ~= b and b ~= 5");
  FakeHost host(library);
  auto book = host.add("book");
  host.add("book");
  REQUIRE(host.run(book, "lend"));
  CHECK(host.value(book, "Lent") == Value(true));
}

TEST_CASE("an augmenter only reads") {
  Library library;
  library.add(
      FileKind::Augmenter, "Peek",
      "return token \"Peek\" { returns = \"Integer\", value = function() return desk.find('book', 1).Ref end }");
  library.add(FileKind::Augmenter, "Not",
              "return token \"Not\" { returns = \"Integer\", value = function() forbid 'no' end }");
  auto call = [&](const char* name) {
    return library.state().call(*library.entity("book").find_augmenter(name), {}, {});
  };
  CHECK_THAT(call("Peek").error().log_detail, Contains("'desk' is for actions and hooks, while they run"));
  CHECK(call("Not").error().status == 500);
  CHECK_THAT(call("Not").error().log_detail, Contains("'forbid' is for actions and hooks"));
}
