#include "engine/query/evaluate.h"
#include "tests/support/plan_builder.h"
#include "tests/support/typed_catalog.h"

#include <catch2/catch.hpp>

#include <limits>
#include <map>

using namespace callisto;
using namespace callisto::query;
using namespace callisto::test;
using catalog::DataType;

namespace {

// A record of named values; everything else is null.
struct Record : RecordReader {
  std::map<std::string, Value> values;
  Value read(const Path& path) const override {
    const auto found = values.find(path.property->name);
    return found == values.end() ? Value(Null{}) : found->second;
  }
};

struct Desk {
  PlanBuilder builder{typed_catalog(), "document"};
  Record record;
  bool holds(const Predicate& predicate) const { return evaluate(predicate, constants(builder.plan), record); }
  bool holds(const char* name, CompareOp op, Value value, DataType type, int scale = 0) {
    return holds(compare(builder.path(name), op, builder.constant(std::move(value), type, scale)));
  }
};

}  // namespace

TEST_CASE("a null property equals no constant and is on neither side of it") {
  Desk desk;
  CHECK_FALSE(desk.holds("Count", CompareOp::Equal, std::int64_t{0}, DataType::Integer));
  CHECK(desk.holds("Count", CompareOp::NotEqual, std::int64_t{0}, DataType::Integer));
  CHECK_FALSE(desk.holds("Count", CompareOp::LessEqual, std::int64_t{0}, DataType::Integer));
  CHECK_FALSE(desk.holds("Count", CompareOp::GreaterEqual, std::int64_t{0}, DataType::Integer));
}

TEST_CASE("nothing equals a null constant, not even null") {
  Desk desk;
  desk.record.values = {{"Count", std::int64_t{1}}};
  for (const char* name : {"Count", "Size"}) {
    CHECK_FALSE(desk.holds(name, CompareOp::Equal, Null{}, DataType::Integer));
    CHECK(desk.holds(name, CompareOp::NotEqual, Null{}, DataType::Integer));
    CHECK_FALSE(desk.holds(name, CompareOp::LessEqual, Null{}, DataType::Integer));
  }
}

TEST_CASE("two null properties are equal, but have no order") {
  Desk desk;
  const auto count = desk.builder.path("Count"), size = desk.builder.path("Size");
  CHECK(desk.holds(compare(count, CompareOp::Equal, size)));
  CHECK_FALSE(desk.holds(compare(count, CompareOp::NotEqual, size)));
  CHECK_FALSE(desk.holds(compare(count, CompareOp::LessEqual, size)));
  desk.record.values = {{"Count", std::int64_t{1}}};
  CHECK(desk.holds(compare(count, CompareOp::NotEqual, size)));
}

TEST_CASE("a constant is asked for only where the answer depends on it") {
  Desk desk;
  int asked = 0;
  const ConstantReader reader = [&](std::size_t) {
    ++asked;
    return Value(std::int64_t{1});
  };
  const auto one =
      compare(desk.builder.path("Count"), CompareOp::Equal, desk.builder.constant(std::int64_t{1}, DataType::Integer));
  CHECK_FALSE(evaluate(one, reader, desk.record));
  CHECK(asked == 0);
  desk.record.values = {{"Count", std::int64_t{1}}};
  CHECK(evaluate(one, reader, desk.record));
  CHECK(asked == 1);
}

TEST_CASE("a null flag is neither true nor false") {
  Desk desk;
  const auto done = desk.builder.path("Done");
  CHECK_FALSE(desk.holds(flag(done)));
  CHECK(desk.holds(opposite(flag(done))));
  CHECK_FALSE(desk.holds("Done", CompareOp::Equal, false, DataType::Boolean));
  desk.record.values = {{"Done", false}};
  CHECK(desk.holds("Done", CompareOp::Equal, false, DataType::Boolean));
}

TEST_CASE("text compares by its folded form and its marks are ordinary characters") {
  Desk desk;
  desk.record.values = {{"Title", std::string("100% \xC3\x84rger_")}};
  CHECK(desk.holds("Title", CompareOp::Equal, std::string("100% \xC3\xA4RGER_"), DataType::Text));
  const auto title = desk.builder.path("Title");
  auto finds = [&](TextOp op, std::string text) {
    return desk.holds(matches(title, op, desk.builder.words(std::move(text))));
  };
  CHECK(finds(TextOp::Contains, "\xC3\xA4RG"));
  CHECK_FALSE(finds(TextOp::Contains, "1%0"));
  CHECK_FALSE(finds(TextOp::Contains, "arger"));
  CHECK(finds(TextOp::StartsWith, "100% "));
  CHECK(finds(TextOp::EndsWith, "GER_"));
  CHECK_FALSE(finds(TextOp::EndsWith, "GERX"));
}

TEST_CASE("whole numbers and doubles compare exactly") {
  Desk desk;
  desk.record.values = {{"Size", std::int64_t{9007199254740993}}};
  CHECK(desk.holds("Size", CompareOp::Greater, 9007199254740992.0, DataType::Double));
  CHECK_FALSE(desk.holds("Size", CompareOp::Equal, 9007199254740992.0, DataType::Double));
  desk.record.values = {{"Size", std::numeric_limits<std::int64_t>::max()}};
  CHECK(desk.holds("Size", CompareOp::Less, 9223372036854775808.0, DataType::Double));
  desk.record.values = {{"Size", std::int64_t{-2}}};
  CHECK(desk.holds("Size", CompareOp::Greater, -2.5, DataType::Double));
}

TEST_CASE("decimals compare by their digits, whatever their scales") {
  Desk desk;
  const auto price = desk.builder.path("Price"), tax = desk.builder.path("Tax"), size = desk.builder.path("Size");
  desk.record.values = {{"Price", Decimal{-5, 2}}, {"Tax", Decimal{-500, 4}}, {"Size", std::int64_t{0}}};
  CHECK(desk.holds(compare(price, CompareOp::Equal, tax)));
  CHECK(desk.holds(compare(price, CompareOp::Less, size)));
  desk.record.values["Tax"] = Decimal{std::numeric_limits<std::int64_t>::max(), 4};
  desk.record.values["Size"] = std::numeric_limits<std::int64_t>::max();
  CHECK(desk.holds(compare(tax, CompareOp::Less, size)));
}

TEST_CASE("connectives and constants combine as in logic") {
  Desk desk;
  Predicate yes, no;
  yes.kind = no.kind = Predicate::Kind::Always;
  no.constant_value = false;
  CHECK(desk.holds(any({no, yes})));
  CHECK_FALSE(desk.holds(all({no, yes})));
  CHECK(desk.holds(opposite(all({no, yes}))));
}
