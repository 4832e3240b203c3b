// Counters at their end: the greatest number that a type holds is the last that is given.
#include "import_desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

constexpr const char* map = R"(return import {
    record "incident" { Ref = "ref", ShortDescription = "text", LastHistoryOrder = "order", Partition = always(1), State = always(1) } })";

}  // namespace

TEST_CASE("a key never passes its type: an import leaves some, and a create without any says so") {
  const ImportDesk desk;
  { ServerProcess(desk.data(), {"--samples"}).stop(); }
  const Finished refused =
      desk.import_csv(map, "ref,text,order\n2147483647,last,1\n2147483648,beyond,1\n5001,orders,2147483647\n");
  CHECK(refused.exit_status == 1);
  check_holds(refused.output,
              {"Ref 2147483647 is the greatest Integer: no number would be left for what is made later",
               "Ref: '2147483648': Integer: a number in range is expected",
               "LastHistoryOrder 2147483647 is the greatest Integer: no number would be left", "3 rows rejected"});
  const Finished taken =
      desk.import_csv(map, "ref,text,order\n-5,below,1\n2147483646,last but one,2147483645\n5001,orders,2147483646\n");
  INFO(taken.output);
  CHECK(taken.exit_status == 0);

  const ServerProcess server(desk.data(), {});
  const std::string token = server.token("analyst");
  const auto send = [&](const char* method, const std::string& path, std::string_view body) {
    const Answer answer = server.send(method, "/service.api/api/v1/" + path,
                                      {"Authorization: Bearer " + token, "Content-Type: application/json"}, body);
    INFO(path << " -> " << answer.body);
    return answer;
  };
  const Answer made = send("POST", "call", R"({"ShortDescription": "the last"})");
  CHECK(made.status == 200);
  CHECK_THAT(made.body, Catch::Contains("\"Ref\":2147483647"));
  CHECK(send("GET", "call?$filter=Ref%3D%3D2147483647", {}).status == 200);
  CHECK(send("POST", "call/2147483647/attachment", R"({"Name": "a", "BinaryData": "eA=="})").status == 200);
  for (int i = 0; i < 2; ++i) {
    const Answer none = send("POST", "call", R"({"ShortDescription": "one too many"})");
    CHECK(none.status == 503);
    CHECK_THAT(none.body, Catch::Contains("There is no number left for Ref of call: the greatest Integer is taken."));
  }
  CHECK(send("GET", "call/-5", {}).status == 200);
  CHECK(send("PUT", "call/5001/add-note", R"({"Description": "the last"})").status == 200);
  const Answer none = send("PUT", "call/5001/add-note", R"({"Description": "one too many"})");
  CHECK(none.status == 503);
  CHECK_THAT(none.body, Catch::Contains("There is no number left for LastHistoryOrder of incident"));
  CHECK_THAT(send("GET", "call-history?$filter=TicketId%3D%3D5001&$select=Order", {}).body,
             Catch::Contains("\"Order\":2147483647"));
  CHECK(send("POST", "knowledge", R"({"Title": "another counter"})").status == 200);
}
