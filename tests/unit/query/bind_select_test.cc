#include "tests/support/test_catalog.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace callisto;
using namespace callisto::query;
using Shape = ShapeNode::Kind;

namespace {

std::string names(const std::vector<ShapeNode>& nodes) {
  std::string all;
  for (const ShapeNode& node : nodes) {
    all += (all.empty() ? "" : " ") + node.name;
    if (node.kind == Shape::Object) all += "{" + names(node.children) + "}";
    if (node.kind == Shape::Extension) all += "@";
  }
  return all;
}

std::string selected(test::Desk& desk, std::string_view entity, const char* select) {
  auto plan = desk.select(entity, select);
  return plan ? names((*plan)->shape) : plan.error().message;
}

std::string column_name(const Plan& plan, std::size_t index) {
  const Path& path = plan.columns.at(index);
  std::string all = std::to_string(path.source);
  for (const catalog::Property* hop : path.hops) all += "." + hop->name;
  return all + "." + path.property->name;
}

}  // namespace

TEST_CASE("paths below one lookup merge into one object, and the bare lookup gives way to it") {
  test::Desk desk;
  CHECK(selected(desk, "call", "Ref,Service.Name,Service.Location.Name,Service.Ref") ==
        "Ref Service{Name Location{Name} Ref}");
  CHECK(selected(desk, "call", "Service,Priority,Service.Name,Priority.Name,Priority") ==
        "Service{Name} Priority{Name}");
  CHECK(selected(desk, "call", "Service.Location,Service.Location.Name") == "Service{Location{Name}}");
}

TEST_CASE("an object carries its key, its bare key and, where types mix, its type") {
  test::Desk desk;
  auto plan = desk.select("call-history", "Order,TicketId.Description");
  REQUIRE(plan);
  const ShapeNode& object = (*plan)->shape[1];
  CHECK(object.entity->name == "call");
  REQUIRE(object.key_columns.size() == 1);
  CHECK(column_name(**plan, object.key_columns[0]) == "0.TicketId.Ref");
  REQUIRE(object.bare_key_column);
  CHECK(column_name(**plan, *object.bare_key_column) == "0.TicketId");
  REQUIRE(object.type_column);
  CHECK(column_name(**plan, *object.type_column) == "0.TicketId.RecordType");
  CHECK((*plan)->key_columns.size() == 2);
  CHECK_FALSE((*plan)->type_column);
}

TEST_CASE("columns are selected once however often they are needed") {
  test::Desk desk;
  auto plan = desk.select("call", "Ref,A:Ref,Service,Service.Ref,S:Service,UserId,User");
  REQUIRE(plan);
  const auto& columns = (*plan)->columns;
  for (auto each = columns.begin(); each != columns.end(); ++each)
    CHECK(std::count(columns.begin(), columns.end(), *each) == 1);
  CHECK(names((*plan)->shape) == "Ref A Service{Ref} S UserId User");
  const auto find = [&](const char* name) {
    return *std::find_if((*plan)->shape.begin(), (*plan)->shape.end(), [&](auto& node) { return node.name == name; });
  };
  CHECK(find("UserId").column == find("User").column);
  CHECK(find("UserId").property->type == catalog::DataType::Integer);
}

TEST_CASE("without $select a search gives the summary and a record all that is Public but Binary") {
  test::Desk desk;
  auto search = desk.search("call", {});
  REQUIRE(search);
  CHECK(names((*search)->shape) == "Ref ShortDescription State UserId");
  CHECK_FALSE((*search)->version_column);
  auto record = desk.record("person", {});
  REQUIRE(record);
  CHECK(names((*record)->shape) == "Ref Id CreatedDate Partition Name FirstName IsLoggedIn Manager Organization");
  REQUIRE((*record)->version_column);
  CHECK(column_name(**record, *(*record)->version_column) == "0.RecordVersion");
  CHECK((*record)->order.empty());
  auto history = desk.record("call-history", {});
  REQUIRE(history);
  CHECK(names((*history)->shape).find("LastHistoryOrder") == std::string::npos);
}

TEST_CASE("a star is every Public property, and naming one of them again is no repetition") {
  test::Desk desk;
  CHECK(selected(desk, "attachment", "*") == "Ref Id CreatedDate Partition Name");
  CHECK(selected(desk, "attachment", "Name,*,BinaryData,RecordVersion,IsDeleted,Partition.Name") ==
        "Ref Id CreatedDate Partition{Name} Name BinaryData RecordVersion IsDeleted");
  CHECK(selected(desk, "attachment", "*,Name:Ref") ==
        "$select, column 3: 'Name' is selected twice; give one of them an alias");
}

TEST_CASE("an alias before a path gives the value flat") {
  test::Desk desk;
  auto plan = desk.select("call", "ServiceName:Service.Name,Where:Service.Location");
  REQUIRE(plan);
  CHECK(names((*plan)->shape) == "ServiceName Where");
  CHECK(column_name(**plan, (*plan)->shape[1].column) == "0.Service.Location");
}

TEST_CASE("extensions are selected with what they need, under their own name or an alias") {
  test::Desk desk;
  auto plan = desk.select("incident", "Ref,@AssignmentState, Mine : @AssignmentState");
  REQUIRE(plan);
  CHECK(names((*plan)->shape) == "Ref AssignmentState@ Mine@");
  REQUIRE((*plan)->extensions.size() == 2);
  CHECK((*plan)->extensions[1].name == "Mine");
  const auto& needs = (*plan)->extensions[0].need_columns;
  REQUIRE(needs.size() == 3);
  CHECK(column_name(**plan, needs[2]) == "0.User.Organization");
  CHECK(needs == (*plan)->extensions[1].need_columns);
  CHECK((*plan)->augmenters.size() == 2);
}

TEST_CASE("a wrong $select is refused at its column") {
  test::Desk desk;
  struct Case {
    const char* select;
    std::size_t column;
  };
  for (const Case& each : {Case{"", 1},
                           Case{"Ref,", 5},
                           Case{",Ref", 1},
                           Case{"Ref,,Id", 5},
                           Case{"Ref Id", 5},
                           Case{"Ref,Ref", 5},
                           Case{"A:Ref,A:Id", 7},
                           Case{"A:*", 3},
                           Case{"A:B:Ref", 4},
                           Case{"A.B:Ref", 4},
                           Case{"*,*", 0},
                           Case{"1", 1},
                           Case{"Descripton", 1},
                           Case{"ref", 1},
                           Case{"Service.Nam", 9},
                           Case{"Ref.Name", 5},
                           Case{"_self:Ref", 1},
                           Case{"Ref,Service.Name,Service.Name", 26},
                           Case{"Ref:Id,Ref", 8},
                           Case{"@Now", 1},
                           Case{"@IsOpen", 1},
                           Case{"@AsignmentState", 1},
                           Case{"@", 1},
                           Case{"Service:Ref,Service.Name", 13},
                           Case{"Ref desc", 5}}) {
    INFO(each.select);
    auto plan = desk.select("call", each.select);
    REQUIRE(static_cast<bool>(plan) == (each.column == 0));
    if (plan) continue;
    CHECK(plan.error().status == 400);
    CHECK(plan.error().diagnostic->option == "$select");
    CHECK(plan.error().diagnostic->position == each.column);
  }
  CHECK(selected(desk, "call", "Ref,Servce.Name") ==
        "$select, column 5: 'Servce' is no property of call; did you mean 'Service'?");
  CHECK(selected(desk, "call", "@AsignmentState").find("did you mean '@AssignmentState'?") != std::string::npos);
}

TEST_CASE("at most two hundred paths are selected") {
  test::Desk desk;
  auto list = [](int paths) {
    std::string select = "A0:Ref";
    for (int i = 1; i < paths; ++i) select += ",A" + std::to_string(i) + ":Ref";
    return select;
  };
  CHECK(desk.select("call", list(200)));
  auto plan = desk.select("call", list(201));
  REQUIRE_FALSE(plan);
  CHECK(plan.error().message.find("more than 200 selected paths") != std::string::npos);
}
