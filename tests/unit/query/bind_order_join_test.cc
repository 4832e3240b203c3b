#include "tests/support/test_catalog.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::query;

namespace {

std::string order_of(const Plan& plan) {
  std::string all;
  for (const SortKey& key : plan.order) {
    all += (all.empty() ? "" : " ") + std::to_string(key.path.source);
    for (const catalog::Property* hop : key.path.hops) all += "." + hop->name;
    all += "." + key.path.property->name + (key.descending ? "-" : "");
  }
  return all;
}

Options options_of(const char* joins, const char* orderby = nullptr, const char* filter = nullptr) {
  Options options;
  if (*joins) options.joins.push_back({joins, false});
  if (orderby) options.orderby = orderby;
  if (filter) options.filter = filter;
  return options;
}

std::string ordered(test::Desk& desk, const char* entity, const Options& options) {
  auto plan = desk.search(entity, options);
  return plan ? order_of(**plan) : plan.error().message;
}

constexpr const char* last = "Last:CallHistory(TicketId==Ref && Order==LastHistoryOrder)";

}  // namespace

TEST_CASE("the order is total: it ends with the key and the keys of the aliases") {
  test::Desk desk;
  CHECK(ordered(desk, "call", {}) == "0.Ref");
  CHECK(ordered(desk, "call", options_of("", "Priority.Rank desc, Description asc,UserId")) ==
        "0.Priority.Rank- 0.Description 0.User 0.Ref");
  CHECK(ordered(desk, "call", options_of("", "Ref desc")) == "0.Ref-");
  CHECK(ordered(desk, "call-history", options_of("", "LastHistoryOrder desc")) == "0.Order- 0.TicketId");
  CHECK(ordered(desk, "call", options_of(last, "Last.Date desc,Last.Order")) == "1.Date- 1.Order 0.Ref 1.TicketId");
  CHECK(ordered(desk, "call", options_of("", "Description,Description desc")) == "0.Description 0.Ref");
}

TEST_CASE("what the filter asks to have one value is in no order, nor what it leads to") {
  test::Desk desk;
  const auto order = [&](const char* filter, const char* by) {
    return ordered(desk, "call", options_of("", by, filter));
  };
  CHECK(order("Priority == 2", "Priority.Rank desc, Description, Priority") == "0.Description 0.Ref");
  CHECK(order("Priority == null && User == 3", "Priority.Rank, UserId") == "0.Ref");
  CHECK(order("Ref == 7", "Ref desc") == "0.Ref");
  CHECK(order("Priority in (2)", "Priority.Rank") == "0.Ref");
  CHECK(order("Priority in (2, 3)", "Priority.Rank") == "0.Priority.Rank 0.Ref");
  CHECK(order("Priority == 2 || User == 3", "Priority.Rank") == "0.Priority.Rank 0.Ref");
  CHECK(order("Priority != 3", "Priority") == "0.Priority 0.Ref");
  CHECK(order("Priority.Rank == 2", "Priority.Rank, Priority") == "0.Priority.Rank 0.Priority 0.Ref");
  CHECK(ordered(desk, "call-history", options_of("", "TicketId,Order", "TicketId == 7")) == "0.Order 0.TicketId");
}

TEST_CASE("what an order of 64 keys or more sorts by is selected too, lest SQLite drop its tables") {
  test::Desk desk;
  const auto joined = [](int count) {
    Options options;
    for (int i = 0; i < count; ++i)
      options.joins.push_back({"H" + std::to_string(i) + ":CallHistory(TicketId==Ref)", false});
    return options;
  };
  auto few = desk.search("call", joined(31));
  REQUIRE(few);
  CHECK((*few)->order.size() == 63);
  CHECK((*few)->columns.size() < 63);
  auto many = desk.search("call", joined(32));
  REQUIRE(many);
  CHECK((*many)->order.size() == 65);
  for (const SortKey& key : (*many)->order)
    CHECK(std::find((*many)->columns.begin(), (*many)->columns.end(), key.path) != (*many)->columns.end());
}

TEST_CASE("a wrong $orderby is refused at its column") {
  test::Desk desk;
  struct Case {
    const char* orderby;
    std::size_t column;
  };
  for (const Case& each :
       {Case{"", 1}, Case{"Ref,", 5}, Case{"Ref ASC", 5}, Case{"Ref down", 5}, Case{"Ref asc desc", 9},
        Case{"Image", 1}, Case{"IsDeleted", 1}, Case{"Manager.Nam", 9}, Case{"-Ref", 1}, Case{"Ref;drop", 4}}) {
    INFO(each.orderby);
    auto plan = desk.search("person", options_of("", each.orderby));
    REQUIRE_FALSE(plan);
    CHECK(plan.error().diagnostic->option == "$orderby");
    CHECK(plan.error().diagnostic->position == each.column);
  }
  CHECK_FALSE(desk.search("attachment", options_of("", "BinaryData")));
  std::string keys = "Ref";
  for (int i = 1; i < 16; ++i) keys += ",Ref";
  CHECK(desk.search("person", options_of("", keys.c_str())));
  keys += ",Ref";
  CHECK_FALSE(desk.search("person", options_of("", keys.c_str())));
}

TEST_CASE("a join binds properties, earlier aliases and literals, and its alias is known from then on") {
  test::Desk desk;
  Options options;
  options.joins = {{last, false},
                   {"By:person(Ref==Last.Analyst&&Name=\"x\"), Again:call-history(Ref==Service.Ref)", true}};
  options.filter = "Last.Description.Contains(\"x\") && By.Manager.Name != null";
  options.select = "Ref,Last.Description,Last.Analyst.Name,By.Name,Flat:Last.Order";
  auto plan = desk.search("call", options);
  if (!plan) FAIL(plan.error().message);
  const auto& joins = (*plan)->joins;
  REQUIRE(joins.size() == 3);
  CHECK((joins[0].alias == "Last" && joins[0].target->name == "call-history" && !joins[0].inner));
  CHECK((joins[1].alias == "By" && joins[1].inner && joins[2].inner));
  REQUIRE(joins[0].on.size() == 2);
  CHECK(joins[0].on[0].target_property->name == "TicketId");
  CHECK(std::get<Path>(joins[0].on[0].source).property->name == "Ref");
  CHECK(std::get<Path>(joins[1].on[0].source).source == 1);
  CHECK(std::holds_alternative<ConstantRef>(joins[1].on[1].source));
  CHECK(joins[2].on[0].target_property->name == "TicketId");
  const auto& shape = (*plan)->shape;
  REQUIRE(shape.size() == 4);
  CHECK((shape[1].name == "Last" && shape[1].kind == ShapeNode::Kind::Object));
  CHECK(shape[1].key_columns.size() == 2);
  CHECK_FALSE(shape[1].bare_key_column);
  CHECK(shape[1].children[1].bare_key_column);
  CHECK((shape[3].name == "Flat" && shape[3].kind == ShapeNode::Kind::Value));
}

TEST_CASE("a wrong join is refused at its column") {
  test::Desk desk;
  struct Case {
    const char* join;
    std::size_t column;
  };
  for (const Case& each : {Case{"", 1},
                           Case{"Last", 5},
                           Case{"Last:", 6},
                           Case{"Last:CallHistory", 17},
                           Case{"Last:CallHistory()", 18},
                           Case{"Last:CallHistry(Ref==Ref)", 6},
                           Case{"Last:CallHistory(Ref==Ref", 26},
                           Case{"Last:CallHistory(Ref>Ref)", 21},
                           Case{"Last:CallHistory(Ref==Ref || Ref==1)", 27},
                           Case{"Last:CallHistory(Reff==Ref)", 18},
                           Case{"Last:CallHistory(Ref==Reff)", 23},
                           Case{"Last:CallHistory(Order==Description)", 25},
                           Case{"Last:CallHistory(Order==1.5)", 25},
                           Case{"Last:CallHistory(Order==\"1\")", 25},
                           Case{"Last:CallHistory(Order==null)", 25},
                           Case{"Last:CallHistory(Order==@UserId)", 25},
                           Case{"Description:CallHistory(Ref==Ref)", 1},
                           Case{"null:CallHistory(Ref==Ref)", 1},
                           Case{"_a:CallHistory(Ref==Ref)", 1},
                           Case{"A:CallHistory(Ref==Ref),A:CallHistory(Ref==Ref)", 25},
                           Case{"A:CallHistory(Ref==B.Ref),B:CallHistory(Ref==Ref)", 20},
                           Case{"A:person(IsDeleted==true)", 10},
                           Case{"A:person(Image==\"x\")", 10},
                           Case{"A:attachment(BinaryData==\"x\")", 14},
                           Case{"A:CallHistory(Date==\"2026\")", 21},
                           Case{"A:CallHistory(Ref==Ref) x", 25}}) {
    INFO(each.join);
    Options options = options_of("");
    options.joins.push_back({each.join, false});
    auto plan = desk.search("call", options);
    REQUIRE_FALSE(plan);
    CHECK(plan.error().status == 400);
    CHECK(plan.error().diagnostic->option == "$leftJoin");
    CHECK(plan.error().diagnostic->position == each.column);
  }
  CHECK(ordered(desk, "call", options_of("A:CallHistry(Ref==Ref)")) ==
        "$leftJoin, column 3: there is no entity 'CallHistry'; did you mean 'call-history'?");
}

TEST_CASE("an alias alone is no value") {
  test::Desk desk;
  CHECK(ordered(desk, "call", options_of(last, "Last")).find("name one of its properties") != std::string::npos);
  CHECK_FALSE(desk.search("call", options_of(last, nullptr, "Last == null")));
}

TEST_CASE("joins count among the relations") {
  test::Desk desk;
  std::string joins = "A0:person(Ref==User)";
  for (int i = 1; i < 32; ++i) joins += ",A" + std::to_string(i) + ":person(Ref==User)";
  CHECK(desk.search("call", options_of(joins.c_str())));
  CHECK_FALSE(desk.search("call", options_of(joins.c_str(), "Service.Name")));
  joins += ",B:person(Ref==User)";
  CHECK_FALSE(desk.search("call", options_of(joins.c_str())));
}

TEST_CASE("$partition is kept only where the entity is partitioned") {
  test::Desk desk;
  Options options;
  options.partition = 7;
  CHECK((*desk.search("incident", options))->partition == 7);
  CHECK_FALSE((*desk.search("person", options))->partition);
}
