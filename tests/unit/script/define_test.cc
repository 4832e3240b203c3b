#include "engine/script/load/define.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::script;
using catalog::DataType;
using Catch::Contains;

namespace {

DefinedFile define_entity(const std::string& text, const std::string& name = "book") {
  return define({"entities/" + name + ".lua", text}, FileKind::Entity, name);
}

std::vector<std::string> lines(const DefinedFile& file) {
  std::vector<std::string> result;
  for (const catalog::Problem& problem : file.problems) result.push_back(to_string(problem));
  std::sort(result.begin(), result.end());
  return result;
}

std::string only_problem(const std::string& text) {
  auto found = lines(define_entity(text));
  CAPTURE(found);
  REQUIRE(found.size() == 1);
  return found[0];
}

catalog::EntityDefinition entity_of(const std::string& text) {
  DefinedFile file = define_entity(text);
  CHECK(lines(file) == std::vector<std::string>{});
  auto* entity = std::get_if<catalog::EntityDefinition>(&file.definition);
  REQUIRE(entity);
  return *entity;
}

catalog::Augmenter augmenter_of(const std::string& text, const std::string& name) {
  DefinedFile file = define({"scripts/book/augmenters/" + name + ".lua", text}, FileKind::Augmenter, name);
  CHECK(lines(file) == std::vector<std::string>{});
  auto* definition = std::get_if<catalog::AugmenterDefinition>(&file.definition);
  REQUIRE(definition);
  return definition->augmenter;
}

}  // namespace

TEST_CASE("an entity file says everything that an entity is") {
  auto entity = entity_of(R"(
return entity "book" {
  extends = "item", status = "Beta", description = "Pages.", display = "Book", abstract = true, top_level = true,
  partitioned = true, history = true, attachments = true, deletable = false,
  summary = { "Ref", "Title" },
  query_aliases = { Number = "Ref" },
  sub_resources = { list "copy" { entity = "book-copy", link = "Book", type_link = "Kind" } },
  properties = {
    text "Title" { length = 80, uppercase = true, required = true, searchable = true, default = "None" },
    boolean "Lent" { stored = { "Y", "N" }, default = false, internal = true, no_search = true },
    lookup "Owner" { entity = "reader", indexed = false, display = "Whose", description = "Who has it.", display_types = { "Select" } },
    decimal "Price" { scale = 3, default = 1.5, readonly = true, indexed = true },
    integer "OwnerId" { mirror = "Owner" },
    datetime "Bought" { default = "2026-01-01T00:00:00Z", class = "Computed" },
    richtext "Blurb",
  },
}
)");
  CHECK(entity.origin.line == 2);
  CHECK(entity.extends == "item");
  CHECK(entity.status == catalog::Status::Beta);
  CHECK(entity.display_name == "Book");
  CHECK((entity.abstract && entity.top_level && entity.partitioned && entity.history && entity.attachments));
  CHECK_FALSE(entity.deletable);
  CHECK(entity.summary == std::vector<std::string>{"Ref", "Title"});
  CHECK(entity.query_aliases == std::map<std::string, std::string>{{"Number", "Ref"}});
  CHECK(entity.lines.at("summary/Title") == 5);
  REQUIRE(entity.sub_resources.size() == 1);
  CHECK(entity.sub_resources[0].type_link == "Kind");
  CHECK(entity.sub_resources[0].origin.line == 7);
  REQUIRE(entity.properties.size() == 7);
  const catalog::Property& title = entity.properties[0].property;
  CHECK(title.origin.line == 9);
  CHECK(title.length == 80U);
  CHECK((title.uppercase && title.required && title.searchable && !title.readonly));
  CHECK(title.default_value == Value(std::string("None")));
  const catalog::Property& lent = entity.properties[1].property;
  CHECK(lent.stored.yes == "Y");
  CHECK((lent.internal && lent.no_search));
  CHECK(entity.properties[2].target_entity == "reader");
  CHECK(entity.properties[2].property.display_types == std::vector<std::string>{"Select"});
  CHECK(entity.properties[2].property.unindexed);
  CHECK((entity.properties[3].property.indexed && !entity.properties[3].property.unindexed));
  CHECK(entity.properties[3].property.default_value == Value(Decimal{1500, 3}));
  CHECK(entity.properties[4].mirror == "Owner");
  CHECK(entity.properties[5].property.default_value == Value(DateTime{1767225600000}));
  CHECK(entity.properties[5].property.property_class == catalog::PropertyClass::Computed);
  CHECK(entity.properties[6].property.type == DataType::RichText);
}

TEST_CASE("each property noun is a type, and a key may be a lookup") {
  auto entity = entity_of(R"(return entity "book" { properties = {
    key "Ref", key "Parent" { entity = "book", readonly = false }, integer "A", long "B", short "C", float "D", double "E",
    decimal "F", boolean "G", datetime "H", binary "I", text "J", richtext "K", lookup "L" { entity = "x" } } })");
  std::vector<DataType> types;
  for (const auto& each : entity.properties) types.push_back(each.property.type);
  CHECK(types == std::vector<DataType>{DataType::Integer, DataType::Lookup, DataType::Integer, DataType::Long,
                                       DataType::Short, DataType::Float, DataType::Double, DataType::Decimal,
                                       DataType::Boolean, DataType::DateTime, DataType::Binary, DataType::Text,
                                       DataType::RichText, DataType::Lookup});
  CHECK((entity.properties[0].property.is_key && entity.properties[0].property.readonly));
  CHECK((entity.properties[1].property.is_key && !entity.properties[1].property.readonly));
}

TEST_CASE("a wrong option is told with its own line and the nearest right one") {
  CHECK(only_problem("return entity \"book\" {\n  status = \"GA\",\n  descripton = \"x\",\n}") ==
        "entities/book.lua:3: unknown option 'descripton' of entity 'book'; did you mean 'description'?");
  CHECK(only_problem("return entity \"book\" {\n properties = {\n text \"A\",\n text \"B\" {\n lenght = 5 } } }") ==
        "entities/book.lua:5: unknown option 'lenght' of text 'B'; did you mean 'length'?");
  CHECK(only_problem("return entity \"book\" { status = \"Ga\" }") ==
        "entities/book.lua:1: 'status' of entity 'book' must be one of Alpha, Beta, GA, not 'Ga'; did you mean 'GA'?");
}

TEST_CASE("a wrong word in place of a noun is told with the nearest noun") {
  CHECK(only_problem("return entity \"book\" { properties = {\n  lokup \"Owner\" { entity = \"reader\" } } }") ==
        "entities/book.lua:2: unknown word 'lokup'; did you mean 'lookup'?");
  CHECK_THAT(only_problem("return os.getenv('HOME')"), Contains("'os' is not available to scripts"));
}

TEST_CASE("words that mean nothing are told where functions read them, before anything runs them") {
  const auto found = lines(define({"book.lua", R"(local limit = 5
return action "lend" {
  from = "In",
  run = function(book)
    local function deep() return function() return book.Title == Cheap end end
    if book.Price > Maximum then reject(io.open "x") end
    return deep, Cheap, datetime.now(), limit
  end,
})"},
                                  FileKind::Action, "lend"));
  REQUIRE(found.size() == 3);
  CHECK(found[0] == "book.lua:5: unknown word 'Cheap'; write it in quotes if it is a text: \"Cheap\"");
  CHECK(
      found[1] ==
      "book.lua:6: 'io' is not available to scripts; there are no files; keep what is needed in properties of records");
  CHECK(found[2] == "book.lua:6: unknown word 'Maximum'; write it in quotes if it is a text: \"Maximum\"");
}

TEST_CASE("a comparison with null is told where it stands: in code nothing is equal to it") {
  const auto told = define({"a.lua",
                            "return action \"a\" {\n  offered = \"B == null\",\n  run = function(call)\n"
                            "    if call.B == null then call.B = null end\n    return call.C ~= null\n  end,\n}"},
                           FileKind::Action, "a");
  REQUIRE(told.problems.size() == 2);
  CHECK(to_string(told.problems[0]) ==
        "a.lua:4: '== null' is never true: what is null reads as nil in code; write '== nil'");
  CHECK(to_string(told.problems[1]) ==
        "a.lua:5: '~= null' is always true: what is null reads as nil in code; write '~= nil'");
}

TEST_CASE("members that a library has not are told where functions read them, before anything runs them") {
  const auto found = lines(define({"book.lua", R"(local find = string.fnid
return action "lend" {
  run = function(book)
    local function deep() book.Due = datetime.nwo() end
    if table.concat({}, ",") == math.pi and book.Title:gsbu("a", "b") then return deep, find end
    local dates = datetime
    return dates.now(), desk.serch("book", {}), string.len(table.unpack {}), datetime.add(datetime.now(), 1, 0, 0)
  end,
})"},
                                  FileKind::Action, "lend"));
  REQUIRE(found.size() == 4);
  CHECK(found[0] == "book.lua:1: 'string' has no 'fnid'; did you mean 'find'?");
  CHECK(found[1] == "book.lua:4: 'datetime' has no 'nwo'; did you mean 'now'?");
  CHECK(found[2] == "book.lua:7: 'desk' has no 'serch'; did you mean 'search'?");
  CHECK(found[3] == "book.lua:7: 'table' has no 'unpack'");
}

TEST_CASE("a file that returns more than its definition is told: the rest would never be") {
  CHECK(
      only_problem("\nreturn entity \"book\" {}, 5") ==
      "entities/book.lua:2: the file returns more than entity 'book', which nobody reads; a file holds one definition");
  CHECK(
      only_problem("return entity \"book\" {},\n entity \"reader\" {}") ==
      "entities/book.lua:2: the file returns more than entity 'book', which nobody reads; a file holds one definition");
  CHECK(only_problem("return entity \"book\" {}, nil").find("more than entity") != std::string::npos);
}

TEST_CASE("all problems of a file come at once") {
  auto found = lines(define_entity(R"(return entity "book" {
  extends = 5,
  properties = {
    text "A" { length = "long" },
    text "B" { requird = true },
    list "C" { entity = "x", link = "y" },
    "D",
  },
  summary = "Ref",
  abstract = function() return true end,
  text "E",
})"));
  REQUIRE(found.size() == 8);
  CHECK_THAT(found[0], Contains(":10: 'abstract' of entity 'book' is code where only data may stand"));
  CHECK_THAT(found[1], Contains(":11: text 'E' stands in entity 'book' without a name"));
  CHECK_THAT(found[2], Contains(":2: 'extends' of entity 'book' must be a text in quotes"));
  CHECK_THAT(found[3], Contains(":3: 'properties' of entity 'book' holds a string where a definition is due"));
  CHECK_THAT(found[4], Contains(":4: 'length' of text 'A' must be a whole number from 0 on"));
  CHECK_THAT(found[5], Contains(":5: unknown option 'requird' of text 'B'; did you mean 'required'?"));
  CHECK_THAT(found[6], Contains(":6: list 'C' does not belong in 'properties' of entity 'book'"));
  CHECK_THAT(found[7], Contains(":9: 'summary' of entity 'book' must be a list of texts"));
}

TEST_CASE("functions have no place in an entity, wherever they stand") {
  CHECK_THAT(only_problem("return entity \"book\" { properties = { text \"A\" { default = function() end } } }"),
             Contains("is code where only data may stand"));
  CHECK_THAT(only_problem("return entity \"book\" { before = function() end }"), Contains("unknown option 'before'"));
}

TEST_CASE("syntax errors name their line and hint at a missing comma") {
  auto problem = only_problem("return entity \"book\" {\n  status = \"GA\"\n  extends = \"item\"\n}");
  CHECK_THAT(problem, Catch::StartsWith("entities/book.lua:3: '}' expected"));
  CHECK_THAT(problem, Catch::EndsWith("is a comma missing before it?"));
  CHECK_THAT(only_problem("return entity \"book\" {"), Catch::StartsWith("entities/book.lua:1:"));
}

TEST_CASE("a noun wants its name and its options in their form") {
  CHECK_THAT(only_problem("local x = entity { status = \"GA\" }\nreturn x"),
             Contains(":1: entity needs its name in quotes: entity \"Name\""));
  CHECK_THAT(only_problem("local x = entity \"book\" \"GA\"\nreturn x"),
             Contains(":1: entity 'book' takes its options in braces"));
  CHECK_THAT(only_problem("local x = entity \"book\" {} {}\nreturn x"), Contains("has its options twice"));
}

TEST_CASE("a file returns one definition, of its own name and of its folder's kind") {
  CHECK_THAT(only_problem(""), Contains("the file must return a definition: return entity"));
  CHECK_THAT(only_problem("return {}"), Contains("the file must return a definition"));
  CHECK_THAT(only_problem("return condition \"Lent\" { filter = \"Lent\" }"),
             Contains("a file in this folder defines entity, not condition 'Lent'"));
  CHECK(only_problem("return entity \"film\" {}") ==
        "entities/book.lua:1: the file is called 'book' but defines 'film'; a file has the name of what it defines");
}

TEST_CASE("a file that does not end or eats memory is a problem, not a hang") {
  CHECK_THAT(only_problem("while true do end"), Contains("takes longer than 2000 ms to load"));
  CHECK_THAT(only_problem("local t = {} for i = 1, 1e9 do t[i] = {} end"),
             Contains("MiB to load") || Contains("ms to load"));
  CHECK_THAT(only_problem(std::string(2 << 20, ' ')), Contains("is larger than 1 MiB"));
  CHECK_THAT(only_problem("return entity \"book\" { description = \"\xff\" }"), Contains("is not UTF-8"));
  CHECK_THAT(only_problem("reject(\"no\")"), Contains("'reject' can only be called for a request"));
  CHECK_THAT(only_problem("forbid(\"no\")"), Contains("'forbid' can only be called for a request"));
  CHECK_THAT(only_problem("desk.find(\"book\", 1)"), Contains("'desk' is for actions and hooks, while they run"));
}

TEST_CASE("augmenter files say what each kind needs") {
  auto condition =
      augmenter_of("return condition \"Lent\" { filter = \"Owner != null\", description = \"Out.\" }", "Lent");
  CHECK(condition.kind == catalog::AugmenterKind::Condition);
  CHECK(condition.filter == "Owner != null");
  auto function = augmenter_of(R"(return func "Later" { returns = "DateTime", constant = true,
    parameters = { integer "days", text "from" }, value = function(days, from, session) end })",
                               "Later");
  CHECK(function.kind == catalog::AugmenterKind::Function);
  CHECK(function.returns == DataType::DateTime);
  CHECK(function.constant);
  REQUIRE(function.parameters.size() == 2);
  CHECK(function.parameters[0].name == "days");
  CHECK(function.parameters[0].type == DataType::Integer);
  CHECK(function.parameters[1].type == DataType::Text);
  auto extension = augmenter_of(
      "return extension \"Label\" { returns = \"Text\", needs = { \"Title\", \"Owner.Name\" }, values = function() end "
      "}",
      "Label");
  CHECK(extension.kind == catalog::AugmenterKind::Extension);
  CHECK(extension.needs == std::vector<std::string>{"Title", "Owner.Name"});
  CHECK(extension.batch);
  auto token = augmenter_of("return token \"Me\" { returns = \"Integer\", value = function() end }", "Me");
  CHECK(token.kind == catalog::AugmenterKind::Token);
}

TEST_CASE("an augmenter that lacks a part is a problem") {
  auto problems = [](const std::string& text) {
    auto found = lines(define({"x.lua", text}, FileKind::Augmenter, "X"));
    REQUIRE_FALSE(found.empty());
    return found[0];
  };
  CHECK_THAT(problems("return condition \"X\" {}"), Contains("condition 'X' needs 'filter'"));
  CHECK_THAT(problems("return condition \"X\""), Contains("condition 'X' needs 'filter'"));
  CHECK_THAT(problems("return token \"X\" { value = function() end }"), Contains("token 'X' needs 'returns'"));
  CHECK_THAT(problems("return token \"X\" { returns = \"Text\", value = 5 }"),
             Contains("'value' of token 'X' must be a function"));
  CHECK_THAT(problems("return token \"X\" { returns = \"Txt\", value = function() end }"),
             Contains("did you mean 'Text'?"));
  CHECK_THAT(problems("return extension \"X\" { returns = \"Text\" }"), Contains("needs either 'value'"));
}

TEST_CASE("common and session files have their own nouns") {
  DefinedFile file =
      define({"common.lua", "return common { properties = { key \"Ref\", text \"Id\" } }"}, FileKind::Common, "common");
  REQUIRE(std::holds_alternative<Common>(file.definition));
  CHECK(std::get<Common>(file.definition).properties.size() == 2);
  CHECK(file.problems.empty());
  file = define(
      {"groups.lua",
       "return session_list \"groups\" { entity = \"member\", where = \"Person == @UserId\", select = \"Group\" }"},
      FileKind::SessionList, "groups");
  REQUIRE(std::holds_alternative<SessionList>(file.definition));
  CHECK(std::get<SessionList>(file.definition).where == "Person == @UserId");
}

TEST_CASE("an index names its properties, and says what it covers and which rows it holds") {
  const auto entity = entity_of(R"(
return entity "book" {
  indexes = {
    index { "State", "Lent desc" },
    index { "Title",
      where = "Title != null", covers = { "Owner" } },
  },
})");
  REQUIRE(entity.indexes.size() == 2);
  CHECK(entity.indexes[0].properties == std::vector<std::string>{"State", "Lent desc"});
  CHECK(entity.indexes[0].origin.line == 4);
  CHECK(entity.indexes[1].where == "Title != null");
  CHECK(entity.indexes[1].covers == std::vector<std::string>{"Owner"});
  CHECK(entity.indexes[1].lines.at("where") == 6);
}

TEST_CASE("an index that names nothing, or something else than properties, is told") {
  CHECK(only_problem("return entity \"book\" { indexes = {\n index {} } }") ==
        "entities/book.lua:2: index names no properties");
  CHECK_THAT(only_problem("return entity \"book\" { indexes = { index { \"A\", 5 } } }"),
             Contains("a number stands in index without a name"));
  CHECK_THAT(only_problem("return entity \"book\" { indexes = { index { \"A\", wher = \"A != null\" } } }"),
             Contains("unknown option 'wher' of index; did you mean 'where'?"));
  CHECK_THAT(only_problem("return entity \"book\" { indexes = { text \"A\" } }"),
             Contains("text 'A' does not belong in 'indexes' of entity 'book'"));
  CHECK_THAT(only_problem("local x = index \"A\"\nreturn x"), Contains("index takes its options in braces"));
}
