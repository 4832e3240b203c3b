#include "engine/base/text.h"
#include "engine/query/evaluate.h"
#include "tests/support/test_catalog.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::query;
using Kind = Predicate::Kind;

namespace {

const Constant& constant(const Plan& plan, const Operand& operand) {
  return plan.constants.at(std::get<ConstantRef>(operand).index);
}

std::shared_ptr<const Plan> bound(test::Desk& desk, std::string_view entity, const char* filter) {
  auto plan = desk.filter(entity, filter);
  INFO(filter);
  if (!plan) FAIL(plan.error().message);
  return *plan;
}

Error refused(test::Desk& desk, std::string_view entity, const std::string& filter) {
  auto plan = desk.filter(entity, filter);
  INFO(filter);
  REQUIRE_FALSE(plan);
  return std::move(plan).error();
}

std::string utf8(char32_t point) {
  const auto trail = [&](int shift) { return static_cast<char>(0x80 | ((point >> shift) & 0x3F)); };
  if (point < 0x800) return {static_cast<char>(0xC0 | (point >> 6)), trail(0)};
  if (point < 0x10000) return {static_cast<char>(0xE0 | (point >> 12)), trail(6), trail(0)};
  return {static_cast<char>(0xF0 | (point >> 18)), trail(12), trail(6), trail(0)};
}

}  // namespace

TEST_CASE("a literal on the left is the mirrored comparison of the property") {
  test::Desk desk;
  const auto plan = bound(desk, "call", "4 >= Ref");
  CHECK(plan->filter->kind == Kind::Compare);
  CHECK(plan->filter->op == CompareOp::LessEqual);
  CHECK(std::get<Path>(plan->filter->left).property->name == "Ref");
  CHECK(constant(*plan, plan->filter->right).value == Value(std::int64_t{4}));
}

TEST_CASE("connectives of one kind are one flat list") {
  test::Desk desk;
  const auto plan = bound(desk, "call", "Ref==1 || (Ref==2 || (Ref==3 || @IsOpen)) || Ref==4 && Ref==5");
  REQUIRE(plan->filter->kind == Kind::Or);
  CHECK(plan->filter->children.size() == 6);
  CHECK(plan->filter->children.back().kind == Kind::And);
}

TEST_CASE("a fraction beyond the scale leaves the comparison exact") {
  test::Desk desk;
  struct Case {
    const char* filter;
    CompareOp op;
    std::int64_t digits;
  };
  for (const Case& each :
       {Case{"PurchaseCost < 1.005", CompareOp::LessEqual, 100},
        Case{"PurchaseCost <= 1.005", CompareOp::LessEqual, 100}, Case{"PurchaseCost > 1.005", CompareOp::Greater, 100},
        Case{"1.005 <= PurchaseCost", CompareOp::Greater, 100},
        Case{"PurchaseCost < -1.005", CompareOp::LessEqual, -101},
        Case{"PurchaseCost == 1.50", CompareOp::Equal, 150}}) {
    const auto plan = bound(desk, "configuration-item", each.filter);
    CHECK(plan->filter->op == each.op);
    CHECK(constant(*plan, plan->filter->right).value == Value(Decimal{each.digits, 2}));
    CHECK(constant(*plan, plan->filter->right).scale == 2);
  }
  for (const char* filter : {"PurchaseCost == 1.005", "Criticality == 1.5", "!true", "\"a\" != \"A\"", "null == 5"}) {
    const auto plan = bound(desk, "configuration-item", filter);
    const Predicate& decided = plan->filter->kind == Kind::Not ? plan->filter->children[0] : *plan->filter;
    CHECK(decided.kind == Kind::Always);
    CHECK(decided.constant_value == (plan->filter->kind == Kind::Not));
  }
  CHECK(bound(desk, "configuration-item", "PurchaseCost != 1.005")->filter->constant_value);
  CHECK(bound(desk, "configuration-item", "Criticality < 1.5")->filter->op == CompareOp::LessEqual);
}

TEST_CASE("null is a test of its own") {
  test::Desk desk;
  CHECK(bound(desk, "call", "Priority = null")->filter->kind == Kind::IsNull);
  const auto plan = bound(desk, "call", "null != Service.Name");
  REQUIRE(plan->filter->kind == Kind::Not);
  CHECK(plan->filter->children[0].kind == Kind::IsNull);
  CHECK(plan->constants.empty());
}

TEST_CASE("a mirror and a query alias lead to the stored property") {
  test::Desk desk;
  const auto mirror = bound(desk, "call", "UserId == 5");
  CHECK(std::get<Path>(mirror->filter->left).property->name == "User");
  CHECK(constant(*mirror, mirror->filter->right).value == Value(std::int64_t{5}));
  const auto alias = bound(desk, "call-history", "LastHistoryOrder > 2");
  CHECK(std::get<Path>(alias->filter->left).property->name == "Order");
}

TEST_CASE("a constant function is folded and a token is left for the request") {
  test::Desk desk;
  const auto plan =
      bound(desk, "call", "DueDate > @DateTime(2026-03-15T08:00:00 01:00) && DueDate < @NowOffset(0,-1,5)");
  REQUIRE(plan->constants.size() == 2);
  CHECK(plan->constants[0].augmenter == nullptr);
  CHECK(plan->constants[0].value == Value(*parse_iso8601("2026-03-15T07:00:00Z")));
  REQUIRE(plan->constants[1].augmenter != nullptr);
  CHECK(plan->constants[1].augmenter->name == "NowOffset");
  CHECK(plan->constants[1].arguments == std::vector<Value>{std::int64_t{0}, std::int64_t{-1}, std::int64_t{5}});
  CHECK(plan->constants[1].type == catalog::DataType::DateTime);
  CHECK(plan->constants[1].position == 61);
}

TEST_CASE("escapes of a text are resolved") {
  test::Desk desk;
  const auto plan = bound(desk, "call", R"(Description == "a\"b\\c\n\u00e4\ud83d\ude00")");
  CHECK(plan->constants[0].value == Value(std::string("a\"b\\c\n\u00e4\U0001F600")));
}

TEST_CASE("conditions are bound where they stand, and only the client's own @IsDeleted lifts the hiding") {
  test::Desk desk;
  const auto plan = bound(desk, "incident", "@IsAssignedToMe");
  REQUIRE(plan->filter->kind == Kind::And);
  CHECK(plan->filter->children[1].kind == Kind::Or);
  CHECK_FALSE(plan->names_deleted);
  REQUIRE(plan->augmenters.size() == 1);
  CHECK(plan->augmenters[0].augmenter->name == "IsAssignedToMe");
  CHECK(plan->constants[0].position == 1);
  CHECK(bound(desk, "call", "Ref == 1 && !@IsDeleted")->names_deleted);
}

TEST_CASE("messages say what was found, what was expected, and where") {
  test::Desk desk;
  CHECK(refused(desk, "call", "(Ref==1 && )").message ==
        "$filter, column 12: found ')', expected a property, a literal or an augmenter");
  CHECK(refused(desk, "call", "").message ==
        "$filter, column 1: found the end, expected a property, a literal or an augmenter");
  CHECK(refused(desk, "call", "Descripton == \"x\"").message ==
        "$filter, column 1: 'Descripton' is no property of call; did you mean 'Description'?");
  CHECK(refused(desk, "call", "Ref==2LL").message == "$filter, column 6: found '2LL', which is no number");
  const Error date = refused(desk, "call", "DueDate > \"2026-01-01\"");
  CHECK(date.diagnostic->suggestion == "@DateTime(2026-01-01)");
  const Error word = refused(desk, "call", "Ref eq 1");
  CHECK(word.diagnostic->found == "eq");
  CHECK(word.diagnostic->suggestion == "==");
  CHECK(word.diagnostic->expected == std::vector<std::string>{"an operator", "'&&'", "'||'", "the end"});
  CHECK(refused(desk, "call", "@IsDelted").diagnostic->suggestion == "@IsDeleted");
  CHECK(refused(desk, "call", "DueDate > @DateTime(2026-13-01)").message ==
        "$filter, column 21: @DateTime: an ISO 8601 date is needed");
  CHECK(refused(desk, "person", "IsDeleted == true").message ==
        "$filter, column 1: 'IsDeleted' can be selected, but not searched; did you mean '@IsDeleted'?");
}

TEST_CASE("columns count characters, not bytes") {
  test::Desk desk;
  CHECK(refused(desk, "call", "Description==\"äöü\" x").diagnostic->position == 20);
}

TEST_CASE("nesting is limited before it can hurt") {
  test::Desk desk;
  auto nested = [](std::size_t levels, char open, const char* inner) {
    return std::string(levels, open) + inner + (open == '(' ? std::string(levels, ')') : std::string());
  };
  CHECK(desk.filter("call", nested(24, '(', "Ref>0")));
  CHECK(refused(desk, "call", nested(25, '(', "Ref>0")).diagnostic->position == 25);
  CHECK(desk.filter("call", nested(24, '!', "Breached")));
  CHECK(refused(desk, "call", nested(25, '!', "Breached")).diagnostic->position == 25);
  refused(desk, "call", std::string(4000, '('));
  desk.limits.filter_bytes = 100000;
  refused(desk, "call", nested(5000, '(', "Ref>0"));
  refused(desk, "call", nested(5000, '!', "Breached"));
}

TEST_CASE("the number of nodes and the length of a filter are limited") {
  test::Desk desk;
  auto chain = [](int comparisons) {
    std::string filter = "Ref==1";
    for (int i = 1; i < comparisons; ++i) filter += "||Ref==1";
    return filter;
  };
  CHECK(desk.filter("call", chain(250)));  // 250 comparisons and 249 connectives
  CHECK(refused(desk, "call", chain(251)).message.find("more than 500") != std::string::npos);
  CHECK(refused(desk, "call", "Ref==1" + std::string(8192, ' ')).message.find("8192 bytes") != std::string::npos);
}

TEST_CASE("relations are counted once each, dotted and joined together") {
  test::Desk desk;
  desk.limits.relations = 2;
  CHECK(desk.filter("call", "Service.Location.Name == \"x\" || Service.Name == \"y\""));
  CHECK(refused(desk, "call", "Service.Location.Name == \"x\" || User.Name == \"y\"").diagnostic->position == 33);
}

TEST_CASE("a predicate alone has its constants and no columns, and may name what only the desk may") {
  test::Desk desk;
  auto plan = bind_predicate(desk.catalog, desk.find("call"), "IsDeleted || User == @UserId", desk.limits, desk.folder);
  REQUIRE(plan);
  CHECK((*plan)->columns.empty());
  CHECK((*plan)->constants.size() == 1);
  auto wrong = bind_predicate(desk.catalog, desk.find("call"), "Reff == 1", desk.limits, desk.folder);
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message == "filter, column 1: 'Reff' is no property of call; did you mean 'Ref'?");
}

TEST_CASE("a text compared with a capitalised property is capitalised the same way, whatever letter it has") {
  struct Asset : RecordReader {
    std::string stored;
    Value read(const Path&) const override { return stored; }
  };
  test::Desk desk;
  std::vector<std::string> letters;
  for (char32_t point = 0x80; point < 0x1E960; ++point)
    if (const std::string letter = utf8(point); text::is_utf8(letter) && text::upper(letter) != letter)
      letters.push_back(letter);
  CHECK(letters.size() > 1000);
  for (const std::string& letter : letters) {
    Asset asset;
    asset.stored = text::upper("a" + letter + "b");
    for (const std::string& filter :
         {"AssetRef == \"a" + letter + "b\"", "AssetRef == \"" + text::upper("a" + letter + "b") + "\"",
          "AssetRef.Contains(\"" + letter + "\")", "AssetRef.StartsWith(\"A" + letter + "\")",
          "AssetRef.EndsWith(\"" + letter + "b\")", "!(AssetRef != \"a" + letter + "b\")"}) {
      const auto plan = bound(desk, "configuration-item", filter.c_str());
      std::vector<Value> values;
      for (const Constant& each : plan->constants) values.push_back(each.value);
      if (evaluate(*plan->filter, values, asset)) continue;
      FAIL_CHECK(filter << " does not find " << asset.stored);
    }
  }
  const auto other = bound(desk, "call", "ShortDescription == \"\u0131\"");
  CHECK(constant(*other, other->filter->right).value == Value(std::string("\u0131")));
}
