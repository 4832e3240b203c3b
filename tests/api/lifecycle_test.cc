// A call's way from its creation to its second close, with what each step leaves behind; and who may take which step.
#include "shared_desk.h"

#include "engine/base/datetime.h"

#include <algorithm>
#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

const Desk& desk() {
  static SharedDesk desk;
  return desk.get();
}

using Row = std::vector<std::string>;  // Order, Action, ActionTitle, Description, FromState, ToState

std::vector<Row> history(const std::string& call) {
  const Reply page = desk().get("admin", "call/" + call + "/history", {{"$select", "*"}, {"$orderby", "Order"}});
  REQUIRE(page.status == 200);
  std::vector<Row> rows;
  for (const json::Node& row : page.body.find("results")->items()) {
    Row values;
    for (const char* name : {"Order", "Action", "ActionTitle", "Description", "FromState", "ToState"})
      values.push_back(text_of(row, name));
    rows.push_back(values);
  }
  return rows;
}

std::string created(std::string_view login, std::string_view body, std::string_view entity = "call") {
  return desk().done(login, "POST", entity, body)["Ref"];
}

Reply act(std::string_view login, const std::string& call, std::string_view action, std::string_view body = {}) {
  return desk().done(login, "PUT", "call/" + call + "/" + std::string(action), body);
}

int refused(std::string_view login, const std::string& call, std::string_view action, std::string_view body = "{}") {
  return desk().send(login, "PUT", "call/" + call + "/" + std::string(action), body).status;
}

std::int64_t minutes_between(const std::string& from, const std::string& to) {
  const auto first = parse_iso8601(from), last = parse_iso8601(to);
  REQUIRE((first && last));
  return (last->ms - first->ms) / 60'000;
}

using Names = std::set<std::string>;
const Names open_actions{"AddNote", "Close", "Defer", "Forward", "Lock", "Resolve", "StopClock", "Submit", "Update"};

Names with(Names names, const Names& more) {
  names.insert(more.begin(), more.end());
  return names;
}

Names without(Names names, const std::string& name) {
  names.erase(name);
  return names;
}

}  // namespace

TEST_CASE("a call goes from POST over forward, resolve and close to a reopen and its second close") {
  const Reply made =
      desk().done("analyst", "POST", "incident", R"({"ShortDescription": "No ink", "Description": "Not a drop."})");
  const std::string call = made["Ref"];
  CHECK(made["State"] == "1");
  CHECK(made["CallRef"] == "INC-" + std::string(6 - call.size(), '0') + call);
  CHECK(made["LoggedBy"] == "2");
  CHECK(minutes_between(made["CreatedDate"], made["LoggedDate"]) == 0);
  CHECK(made.actions() == with(open_actions, {"TakeOwnership"}));

  const Reply forwarded = act("analyst", call, "forward", R"({"ReceivingAnalyst": 2, "Description": "Yours."})");
  CHECK(forwarded["State"] == "1");
  CHECK(forwarded["Analyst"] == "2");
  CHECK(forwarded["Description"] == "Not a drop.");
  CHECK(forwarded.actions() == with(open_actions, {"Acknowledge"}));

  const Reply acknowledged = act("analyst", call, "acknowledge");
  CHECK(acknowledged["AcknowledgedDate"] != "null");
  CHECK(acknowledged.actions() == open_actions);

  const Reply resolved =
      act("analyst", call, "resolve", R"({"Description": "New ink.", "Solution": "Ink", "Reason": 2})");
  CHECK(resolved["State"] == "3");
  CHECK(resolved["ResolvedDate"] != "null");
  CHECK(resolved["ClosedDate"] == "null");
  CHECK(resolved["Reason"] == "2");
  CHECK(resolved.actions() == without(open_actions, "Resolve"));

  const Reply closed = act("analyst", call, "close", R"({"Description": "It prints."})");
  CHECK(closed["State"] == "2");
  CHECK(closed["ResolvedDate"] == resolved["ResolvedDate"]);
  CHECK(closed["ClosedDate"] != "null");
  CHECK(closed.actions() == Names{"AddNote", "Lock", "Reopen"});

  const Reply reopened = act("analyst", call, "reopen", R"({"Description": "Stripes."})");
  CHECK(reopened["State"] == "1");
  CHECK(reopened["ResolvedDate"] == "null");
  CHECK(reopened["ClosedDate"] == "null");
  CHECK(reopened.actions() == open_actions);

  const Reply unresolved = act("analyst", call, "close", R"({"Description": "Scrapped.", "Resolved": false})");
  CHECK(unresolved["State"] == "5");
  CHECK(unresolved["ResolvedDate"] == "null");
  CHECK(act("analyst", call, "reopen")["State"] == "4");
  CHECK(act("analyst", call, "close", R"({"$action": {"Description": "After all."}})")["State"] == "2");

  CHECK(history(call) == std::vector<Row>{{"1", "create", "Create", "null", "0", "1"},
                                          {"2", "forward", "Forward", "Yours.", "1", "1"},
                                          {"3", "acknowledge", "Acknowledge", "null", "1", "1"},
                                          {"4", "resolve", "Resolve", "New ink.", "1", "3"},
                                          {"5", "close", "Close", "It prints.", "3", "2"},
                                          {"6", "reopen", "Reopen", "Stripes.", "2", "1"},
                                          {"7", "close", "Close", "Scrapped.", "1", "5"},
                                          {"8", "reopen", "Reopen", "null", "5", "4"},
                                          {"9", "close", "Close", "After all.", "4", "2"}});
  CHECK(desk().get("analyst", "call/" + call)["LastHistoryOrder"] == "9");
}

TEST_CASE("the priority follows from impact and urgency, the due date from the priority, unless they are given") {
  const int matrix[3][3] = {{1, 2, 3}, {2, 3, 4}, {3, 4, 4}};
  const int minutes[] = {240, 1440, 4320, 14400};
  for (int impact = 1; impact <= 3; ++impact)
    for (int urgency = 1; urgency <= 3; ++urgency) {
      const Reply call = desk().done("analyst", "POST", "call",
                                     R"({"ShortDescription": "x", "Impact": )" + std::to_string(impact) +
                                         R"(, "Urgency": )" + std::to_string(urgency) + "}");
      const int priority = matrix[impact - 1][urgency - 1];
      CHECK(call["Priority"] == std::to_string(priority));
      CHECK(minutes_between(call["LoggedDate"], call["DueDate"]) == minutes[priority - 1]);
    }
  const Reply given = desk().done(
      "analyst", "POST", "call",
      R"({"ShortDescription": "x", "Impact": 1, "Urgency": 1, "Priority": 4, "DueDate": "2030-01-01T00:00:00Z"})");
  CHECK(given["Priority"] == "4");
  CHECK(given["DueDate"] == "2030-01-01T00:00:00.000Z");
  const std::string path = "call/" + given["Ref"];
  CHECK(desk().done("analyst", "PUT", path, R"({"Urgency": 2})")["Priority"] == "2");
  CHECK(desk().done("analyst", "PUT", path, R"({"Impact": 3, "Priority": 1})")["Priority"] == "1");
  const Reply moved = desk().done("analyst", "PUT", path, R"({"Priority": 3})");
  CHECK(minutes_between(moved["LoggedDate"], moved["DueDate"]) == 4320);
  CHECK(desk().done("analyst", "PUT", path, R"({"Priority": 2, "DueDate": null})")["DueDate"] != "(none)");
}

TEST_CASE("Submit = false keeps a call New; submit is a no-op afterwards; forward submits") {
  const std::string call = created("analyst", R"({"ShortDescription": "x", "$action": {"Submit": false}})");
  const Reply fresh = desk().get("analyst", "call/" + call);
  CHECK(fresh["State"] == "0");
  CHECK(fresh.actions() == Names{"Delete", "Forward", "Lock", "Submit", "Update"});
  CHECK(act("analyst", call, "submit")["State"] == "1");
  const Reply again = act("analyst", call, "submit");
  CHECK(again["LastHistoryOrder"] == "2");
  CHECK(history(call).back() == Row{"2", "submit", "Submit", "null", "0", "1"});
  CHECK(desk().get("analyst", "call/" + call).headers.at("etag") == again.headers.at("etag"));

  const std::string other = created("analyst", R"({"ShortDescription": "x", "Submit": false})");
  CHECK(act("analyst", other, "forward", R"({"ReceivingGroup": 1})")["State"] == "1");
}

TEST_CASE("a ReceivingGroup on create forwards the call: the second row of its history") {
  const std::string call = created("analyst", R"({"ShortDescription": "x", "ReceivingGroup": 2})");
  CHECK(desk().get("analyst", "call/" + call)["Group"] == "2");
  const auto rows = history(call);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0][1] == "create");
  CHECK(rows[1] == Row{"2", "forward", "Forward", "null", "1", "1"});
}

TEST_CASE("stopped time does not count against the due date") {
  const std::string call = created("analyst", R"({"ShortDescription": "x", "DueDate": "2030-01-01T00:00:00Z"})");
  CHECK(refused("analyst", call, "start-clock") == 400);
  CHECK(refused("analyst", call, "stop-clock") == 400);  // without a Description
  const Reply stopped = act("analyst", call, "stop-clock", R"({"Description": "Supplier"})");
  CHECK(stopped["ClockStopped"] == "true");
  CHECK(stopped.actions().count("StartClock") == 1);
  CHECK(stopped.actions().count("StopClock") == 0);
  // The server's clock, which is this one, has to move for time to have stood still.
  const SystemClock clock;
  for (const DateTime since = clock.now(); clock.now().ms < since.ms + 2;) {}
  const Reply started = act("analyst", call, "start-clock");
  CHECK(started["ClockStopped"] == "false");
  CHECK(started["DueDate"] > "2030-01-01T00:00:00.000Z");
  CHECK(started["DueDate"] < "2030-01-01T00:01:00.000Z");
  const Reply deferred = act("analyst", call, "defer", R"({"DeferUntil": "2029-01-01T00:00:00Z"})");
  CHECK(deferred["ClockStopped"] == "true");
  CHECK(deferred["SuspendUntil"] == "2029-01-01T00:00:00.000Z");
  CHECK(act("analyst", call, "start-clock")["SuspendUntil"] == "null");
}

TEST_CASE("a note changes nothing but the history") {
  const std::string call = created("analyst", R"({"ShortDescription": "x", "Description": "The story."})");
  const Reply noted = act("analyst", call, "add-note", R"({"Description": "<p>Seen.</p>", "IsPublic": false})");
  CHECK(noted["Description"] == "The story.");
  CHECK(noted["State"] == "1");
  const Reply row = desk().get("analyst", "call/" + call + "/history", {{"$filter", "Order == 2"}, {"$select", "*"}});
  CHECK(text_of(row.body.find("results")->items().front(), "IsPublic") == "false");
  CHECK(text_of(row.body.find("results")->items().front(), "Analyst") == "2");
}

TEST_CASE("a group's call is acknowledged by its members alone") {
  const std::string call = created("analyst", R"({"ShortDescription": "x", "ReceivingGroup": 4})");
  CHECK(refused("analyst", call, "acknowledge") == 400);
  CHECK(desk().get("analyst", "call/" + call).actions().count("Acknowledge") == 0);
  CHECK(act("analyst2", call, "acknowledge")["AcknowledgedDate"] != "null");
  CHECK(refused("analyst2", call, "acknowledge") == 400);
  CHECK(act("analyst", call, "take-ownership")["Analyst"] == "2");
  CHECK(refused("analyst", call, "take-ownership") == 400);
}

TEST_CASE("a locked call is changed by the one who locked it alone") {
  const std::string call = created("analyst", R"({"ShortDescription": "x"})");
  const Reply locked = act("analyst", call, "lock");
  CHECK(locked["LockedBy"] == "2");
  CHECK(locked["LockedDate"] != "null");
  CHECK(locked.actions().count("Unlock") == 1);
  const Reply seen = desk().get("analyst2", "call/" + call);
  CHECK(seen.actions() == Names());
  CHECK(desk().send("analyst2", "PUT", "call/" + call, R"({"Name": "x"})").status == 400);
  CHECK(refused("analyst2", call, "add-note", R"({"Description": "x"})") == 400);
  CHECK(refused("analyst2", call, "unlock") == 400);
  CHECK(desk().done("analyst", "PUT", "call/" + call, R"({"Name": "mine"})")["Name"] == "mine");
  CHECK(act("analyst", call, "unlock")["LockedBy"] == "null");
  act("analyst", call, "lock");
  CHECK(act("admin", call, "unlock")["LockedBy"] == "null");  // administrators: any
  CHECK(desk().done("analyst2", "PUT", "call/" + call, R"({"Name": "ours"})")["Name"] == "ours");
  CHECK(history(call).size() == 3);  // create and two updates: lock and unlock write none
}

TEST_CASE("only a New call is deleted, and stays stored") {
  const std::string call = created("analyst", R"({"ShortDescription": "x", "Submit": false})");
  const Reply gone = desk().done("analyst", "DELETE", "call/" + call);
  CHECK(gone["_self"] == "api:v1/call/" + call);
  CHECK(gone["_context"] == "api:v1/call/$metadata");
  CHECK(desk().get("analyst", "call/" + call)["SubStatus"] == "RecordNotFound");
  CHECK(desk().refs("analyst", "call", {{"$filter", "Ref == " + call}}).empty());
  CHECK(desk().refs("analyst", "call", {{"$filter", "@IsDeleted && Ref == " + call}}).size() == 1);

  const std::string submitted = created("analyst", R"({"ShortDescription": "x"})");
  const Reply refusal = desk().send("analyst", "DELETE", "call/" + submitted);
  CHECK(refusal.status == 405);
  CHECK(refusal["SubStatus"] == "NotSupported");
  CHECK(desk().get("analyst", "call/" + submitted).status == 200);
}

TEST_CASE("a User session has calls of its own: it makes, changes, notes, closes and reopens them") {
  const Reply stranger = desk().send("user", "POST", "call", R"({"ShortDescription": "x", "User": 5})");
  CHECK(stranger.status == 400);
  CHECK(stranger["SubStatus"] == "LinkedRecordNotFound");
  const std::string call = created("user", R"({"ShortDescription": "x"})");
  const Reply own = desk().get("user", "call/" + call);
  CHECK(own["User"] == "4");
  CHECK(own.actions() == Names{"AddNote", "Close", "Submit", "Update"});
  CHECK(desk().done("user", "PUT", "call/" + call, R"({"Name": "mine"})")["Name"] == "mine");
  act("user", call, "add-note", R"({"Description": "still"})");
  act("user", call, "close", R"({"Description": "gone"})");
  CHECK(act("user", call, "reopen")["State"] == "1");
  CHECK(refused("user", call, "forward", R"({"ReceivingGroup": 1})") == 403);
  CHECK(refused("user", call, "lock") == 403);

  const std::string foreign = created("analyst", R"({"ShortDescription": "x", "User": 5})");
  for (const char* action : {"close", "add-note", "submit"}) {
    const int status = refused("user", foreign, action, R"({"Description": "x"})");
    CHECK((status == 403 || status == 404));
  }
  CHECK(desk().get("user", "call/" + foreign).actions() == Names());
}
