#include "engine/catalog/builder.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace callisto;
using namespace callisto::catalog;

namespace {

PropertyDefinition property(std::string name, DataType type, int line = 0) {
  PropertyDefinition definition;
  definition.property.name = std::move(name);
  definition.property.type = type;
  definition.property.origin.line = line;
  return definition;
}

PropertyDefinition key(std::string name) {
  PropertyDefinition definition = property(std::move(name), DataType::Integer);
  definition.property.is_key = definition.property.readonly = true;
  return definition;
}

PropertyDefinition lookup(std::string name, std::string target, int line = 0) {
  PropertyDefinition definition = property(std::move(name), DataType::Lookup, line);
  definition.target_entity = std::move(target);
  return definition;
}

EntityDefinition entity(std::string name, std::vector<PropertyDefinition> properties, std::string extends = {}) {
  EntityDefinition definition;
  definition.origin = {"entities/" + name + ".lua", 1};
  definition.name = std::move(name);
  definition.extends = std::move(extends);
  definition.properties = std::move(properties);
  for (PropertyDefinition& each : definition.properties) each.property.origin.file = definition.origin.file;
  return definition;
}

AugmenterDefinition condition(std::string scope, std::string name, std::string filter) {
  AugmenterDefinition definition;
  definition.augmenter.origin = {"scripts/" + scope + "/augmenters/" + name + ".lua", 1};
  definition.entity = std::move(scope);
  definition.augmenter.name = std::move(name);
  definition.augmenter.kind = AugmenterKind::Condition;
  definition.augmenter.filter = std::move(filter);
  return definition;
}

// A small library: items are books or films; every copy of an item has a number below it.
Definitions library() {
  Definitions definitions;
  definitions.common = {key("Ref"), property("Id", DataType::Text)};
  auto deleted = property("IsDeleted", DataType::Boolean);
  deleted.property.internal = true;
  definitions.common.push_back(deleted);
  auto item = entity("library-item", {property("Title", DataType::Text), lookup("Owner", "reader"),
                                      property("Summary", DataType::RichText)});
  item.abstract = item.partitioned = true;
  item.sub_resources = {{"copy", "item-copy", "Item", "", item.origin}};
  auto owner_id = property("OwnerId", DataType::Integer);
  owner_id.mirror = "Owner";
  item.properties.push_back(owner_id);
  auto copy = entity("item-copy", {lookup("Item", "library-item"), key("Order")});
  copy.properties[0].property.is_key = true;
  copy.query_aliases = {{"Ref", "Item"}};
  definitions.entities = {item, entity("book", {property("PageCount", DataType::Integer)}, "library-item"),
                          entity("film", {property("Minutes", DataType::Short)}, "library-item"), copy,
                          entity("reader", {property("Name", DataType::Text)})};
  return definitions;
}

std::vector<std::string> problems_of(Definitions definitions) {
  BuildResult result = build(std::move(definitions));
  CHECK((result.catalog == nullptr) == !result.problems.empty());
  std::vector<std::string> lines;
  for (const Problem& problem : result.problems) lines.push_back(to_string(problem));
  return lines;
}

std::string only_problem(Definitions definitions) {
  auto lines = problems_of(std::move(definitions));
  CAPTURE(lines);
  REQUIRE(lines.size() == 1);
  return lines[0];
}

std::vector<std::string> names(const std::vector<const Property*>& properties) {
  std::vector<std::string> result;
  for (const Property* each : properties) result.push_back(each->name);
  return result;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a child has its parent's properties before its own, in one table with a type column") {
  auto catalog = build(library()).catalog;
  REQUIRE(catalog);
  const Entity* book = catalog->find("book");
  const Entity* item = catalog->find("LibraryItem");
  REQUIRE((book && item));
  CHECK(names(book->properties) ==
        Names{"Ref", "Id", "IsDeleted", "RecordType", "Title", "Owner", "Summary", "OwnerId", "PageCount"});
  CHECK(book->table.text() == "library_item");
  CHECK(book->type_column == item->type_column);
  CHECK(item->type_column->internal);
  CHECK(catalog->find("reader")->type_column == nullptr);
  CHECK(book->find_property("Title") == item->find_property("Title"));
  CHECK(book->find_property("title") == nullptr);
  CHECK(book->find_property("Title")->owner == item);
  CHECK(book->partitioned);
}

TEST_CASE("a hierarchy knows its root, its children and its final types") {
  auto catalog = build(library()).catalog;
  REQUIRE(catalog);
  const Entity& item = *catalog->find("library-item");
  const Entity& film = *catalog->find("film");
  CHECK(item.children == std::vector<const Entity*>{catalog->find("book"), &film});
  CHECK(item.final_types() == item.children);
  CHECK(film.final_types() == std::vector<const Entity*>{&film});
  CHECK(&film.root() == &item);
  CHECK(film.is_or_extends(item));
  CHECK_FALSE(item.is_or_extends(film));
  CHECK(item.top_level);
  CHECK_FALSE(film.top_level);
}

TEST_CASE("entities answer to kebab-case and PascalCase names in any case") {
  auto catalog = build(library()).catalog;
  REQUIRE(catalog);
  CHECK(catalog->find("ITEM-COPY") == catalog->find("itemcopy"));
  CHECK(catalog->find("ItemCopy")->name == "item-copy");
  CHECK(catalog->find("ItemCopies") == nullptr);
  CHECK(catalog->find("item-copy")->display_name == "Item Copy");
}

TEST_CASE("keys of an entity's own replace the common one and aliases come last") {
  auto catalog = build(library()).catalog;
  REQUIRE(catalog);
  const Entity& copy = *catalog->find("item-copy");
  CHECK(names(copy.key) == Names{"Item", "Order"});
  CHECK(names(copy.properties) == Names{"Item", "Order", "Id", "IsDeleted", "Ref"});
  const Property& alias = *copy.find_property("Ref");
  CHECK(alias.query_alias);
  CHECK_FALSE(alias.is_key);
  CHECK(alias.column.text() == "Item");
  CHECK(alias.mirror_of == copy.find_property("Item"));
}

TEST_CASE("a mirror shares the column of its lookup") {
  auto catalog = build(library()).catalog;
  REQUIRE(catalog);
  const Entity& book = *catalog->find("book");
  CHECK(book.find_property("OwnerId")->mirror_of == book.find_property("Owner"));
  CHECK(book.find_property("OwnerId")->column.text() == "Owner");
  CHECK(book.find_property("Owner")->property_class == PropertyClass::Lookup);
  CHECK(book.find_property("Owner")->target == catalog->find("reader"));
}

TEST_CASE("names, display types and summaries are derived where a file does not say them") {
  auto catalog = build(library()).catalog;
  REQUIRE(catalog);
  const Entity& book = *catalog->find("book");
  CHECK(book.find_property("PageCount")->display_name == "Page Count");
  CHECK(book.find_property("PageCount")->display_types == Names{"Numeric"});
  CHECK(book.find_property("Summary")->display_types == Names{"RichText"});
  CHECK(names(book.summary) == Names{"Ref", "Title", "Owner", "PageCount", "Id"});
}

TEST_CASE("a child without a summary has its parent's") {
  Definitions definitions = library();
  definitions.entities[0].summary = {"Ref", "Title"};
  auto catalog = build(std::move(definitions)).catalog;
  REQUIRE(catalog);
  CHECK(names(catalog->find("book")->summary) == Names{"Ref", "Title"});
}

TEST_CASE("sub-resources are inherited and found ignoring case and by their plural") {
  auto catalog = build(library()).catalog;
  REQUIRE(catalog);
  const SubResource* copies = catalog->find("book")->find_sub_resource("Copys");
  REQUIRE(copies);
  CHECK(copies == catalog->find("book")->find_sub_resource("COPY"));
  CHECK(copies->entity == catalog->find("item-copy"));
  CHECK(copies->link == catalog->find("item-copy")->find_property("Item"));
  CHECK(catalog->find("reader")->find_sub_resource("copy") == nullptr);
}

TEST_CASE("the nearest augmenter of a name wins") {
  Definitions definitions = library();
  definitions.augmenters = {condition("book", "IsLong", "PageCount > 500"), condition("common", "IsLong", "Ref > 1"),
                            condition("library-item", "IsLong", "Ref > 2"), condition("common", "IsNew", "Ref > 3")};
  auto catalog = build(std::move(definitions)).catalog;
  REQUIRE(catalog);
  CHECK(catalog->find("book")->find_augmenter("IsLong")->filter == "PageCount > 500");
  CHECK(catalog->find("film")->find_augmenter("IsLong")->filter == "Ref > 2");
  CHECK(catalog->find("reader")->find_augmenter("IsLong")->filter == "Ref > 1");
  CHECK(catalog->find("book")->augmenters.size() == 2);
  CHECK(catalog->find("book")->find_augmenter("IsNew"));
}

TEST_CASE("an unknown name is reported at its line with the nearest known one") {
  Definitions definitions = library();
  definitions.entities[1].extends = "libary-item";
  definitions.entities[1].lines["extends"] = 3;
  CHECK(only_problem(std::move(definitions)) ==
        "entities/book.lua:3: unknown entity 'libary-item' in 'extends'; did you mean 'library-item'?");

  definitions = library();
  definitions.entities[4].properties.push_back(lookup("Friend", "raeder", 7));
  definitions.entities[4].properties[1].property.origin.file = "entities/reader.lua";
  CHECK(only_problem(std::move(definitions)) ==
        "entities/reader.lua:7: unknown entity 'raeder' in lookup 'Friend'; did you mean 'reader'?");

  definitions = library();
  definitions.entities[0].properties[3].mirror = "Ownr";
  CHECK_THAT(only_problem(std::move(definitions)), Catch::EndsWith("did you mean 'Owner'?"));

  definitions = library();
  definitions.entities[4].summary = {"Ref", "Nmae"};
  definitions.entities[4].lines["summary/Nmae"] = 9;
  CHECK(only_problem(std::move(definitions)) ==
        "entities/reader.lua:9: unknown property 'Nmae' in summary; did you mean 'Name'?");
}

TEST_CASE("all problems come in one run, by file and line") {
  Definitions definitions = library();
  definitions.entities[4].summary = {"Nmae"};
  definitions.entities[1].extends = "nothing";
  definitions.entities[2].properties[0].property.length = 5;
  auto lines = problems_of(std::move(definitions));
  REQUIRE(lines.size() == 3);
  CHECK_THAT(lines[0], Catch::StartsWith("entities/book.lua:1: unknown entity 'nothing'"));
  CHECK_THAT(lines[1], Catch::Contains("'length' is for texts, and 'Minutes' is Short"));
  CHECK_THAT(lines[2], Catch::StartsWith("entities/reader.lua:1: unknown property 'Nmae'"));
}

TEST_CASE("names that only an unreadable file could explain are not reported") {
  Definitions definitions = library();
  definitions.entities.pop_back();
  definitions.unreadable = {"reader"};
  BuildResult result = build(std::move(definitions));
  CHECK(result.catalog == nullptr);
  CHECK(result.problems.empty());
}

TEST_CASE("entities and properties are defined once, ignoring case") {
  Definitions definitions = library();
  definitions.entities.push_back(definitions.entities[4]);
  CHECK_THAT(only_problem(std::move(definitions)), Catch::Contains("entity 'reader' is already defined"));

  definitions = library();
  definitions.entities[1].properties.push_back(property("TITLE", DataType::Text, 5));
  CHECK_THAT(only_problem(std::move(definitions)), Catch::Contains("property 'TITLE' of 'book' is already defined"));

  definitions = library();
  definitions.augmenters = {condition("book", "IsLong", "Ref > 1"), condition("book", "IsLong", "Ref > 2")};
  CHECK_THAT(only_problem(std::move(definitions)), Catch::Contains("'@IsLong' is already defined for 'book'"));
}

TEST_CASE("brothers share a column only when they store the same") {
  Definitions definitions = library();
  definitions.entities[2].properties.push_back(property("PageCount", DataType::Integer));
  CHECK(problems_of(std::move(definitions)).empty());
  definitions = library();
  definitions.entities[2].properties.push_back(property("PageCount", DataType::Text));
  CHECK_THAT(only_problem(std::move(definitions)), Catch::Contains("share one table"));
}

TEST_CASE("a cycle of extends is one problem") {
  Definitions definitions = library();
  definitions.entities = {entity("a", {}, "b"), entity("b", {}, "c"), entity("c", {}, "a")};
  CHECK_THAT(only_problem(std::move(definitions)), Catch::Contains("'a' extends itself: a -> b -> c -> a"));
}

TEST_CASE("an abstract entity needs children") {
  Definitions definitions = library();
  definitions.entities[4].abstract = true;
  CHECK_THAT(only_problem(std::move(definitions)), Catch::Contains("'reader' is abstract, but no entity extends it"));
}

TEST_CASE("only the root of a hierarchy defines a key, and a lookup needs a single one") {
  Definitions definitions = library();
  definitions.entities[1].properties.push_back(key("Number"));
  CHECK_THAT(only_problem(std::move(definitions)), Catch::Contains("inherits its key"));

  definitions = library();
  definitions.entities[4].properties.push_back(lookup("Copy", "item-copy"));
  CHECK_THAT(only_problem(std::move(definitions)), Catch::Contains("its key has several parts"));

  definitions = library();
  definitions.common.erase(definitions.common.begin());
  definitions.entities[0].sub_resources.clear();
  definitions.entities.resize(3);
  definitions.entities[0].properties = {property("Title", DataType::Text)};
  CHECK_THAT(problems_of(std::move(definitions)).at(0), Catch::Contains("has no key"));
}

TEST_CASE("an option that does not fit its type is a problem") {
  auto problem_of = [](PropertyDefinition definition) {
    Definitions definitions = library();
    definition.property.origin.file = "entities/reader.lua";
    definitions.entities[4].properties.push_back(std::move(definition));
    return only_problem(std::move(definitions));
  };
  auto given = property("Extra", DataType::Text);
  given.property.stored = {"Y", "N"};
  CHECK_THAT(problem_of(given), Catch::Contains("'stored' is for a boolean"));
  given = property("Extra", DataType::Integer);
  given.property.length = 4;
  CHECK_THAT(problem_of(given), Catch::Contains("'length' is for texts"));
  given = property("Extra", DataType::Text);
  given.property.length = 4;
  given.property.default_value = Value(std::string("Gr\u00fc\u00dfe"));
  CHECK_THAT(problem_of(given), Catch::Contains("the default of 'Extra' is longer than its 'length'"));
  given = property("Extra", DataType::Text);
  given.property.uppercase = true;
  given.property.default_value = Value(std::string("abc"));
  CHECK_THAT(problem_of(given), Catch::Contains("the default of 'Extra' must be in capitals"));
  given = property("Extra", DataType::Decimal);
  given.property.scale = 19;
  CHECK_THAT(problem_of(given), Catch::Contains("must be 0 to 18"));
  given = property("Extra", DataType::Integer);
  given.property.scale = 3;
  CHECK_THAT(problem_of(given), Catch::Contains("'scale' is for a decimal"));
  given = property("Extra", DataType::Boolean);
  given.property.uppercase = true;
  CHECK_THAT(problem_of(given), Catch::Contains("'uppercase' is for a text"));
  CHECK_THAT(problem_of(lookup("Extra", "")), Catch::Contains("needs 'entity'"));
  given = property("Extra", DataType::Boolean);
  given.property.display_types = {"CheckBox"};
  CHECK_THAT(problem_of(given), Catch::EndsWith("did you mean 'Checkbox'?"));
  given = property("Extra", DataType::Short);
  given.property.default_value = Value(std::int64_t{40000});
  CHECK_THAT(problem_of(given), Catch::Contains("is no Short in range"));
  CHECK_THAT(problem_of(property("extra", DataType::Text)), Catch::Contains("begins with a capital"));
}

TEST_CASE("needs of an extension are paths through lookups") {
  auto problems_with = [](std::vector<std::string> needs) {
    Definitions definitions = library();
    AugmenterDefinition definition = condition("book", "Label", "");
    definition.augmenter.kind = AugmenterKind::Extension;
    definition.augmenter.needs = std::move(needs);
    definitions.augmenters = {definition};
    return problems_of(std::move(definitions));
  };
  CHECK(problems_with({"Title", "Owner.Name", "Owner"}).empty());
  CHECK_THAT(problems_with({"Owner.Nam"}).at(0), Catch::EndsWith("did you mean 'Name'?"));
  CHECK_THAT(problems_with({"Title.Name"}).at(0), Catch::Contains("is no lookup"));
}

TEST_CASE("a list below a record names an entity and the property that links it") {
  Definitions definitions = library();
  definitions.entities[0].sub_resources[0].link = "Itm";
  CHECK_THAT(only_problem(definitions), Catch::EndsWith("did you mean 'Item'?"));
  definitions.entities[0].sub_resources[0].entity = "item-copi";
  CHECK_THAT(only_problem(definitions), Catch::EndsWith("did you mean 'item-copy'?"));
}
