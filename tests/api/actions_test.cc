// Generated from the metadata: whatever a record lists in _actions is accepted, and everything else that its entity
// knows is refused and changes nothing; for records in every state and for each kind of account.
#include "desk.h"

#include <catch2/catch.hpp>
#include <memory>

namespace {

using namespace callisto;
using namespace callisto::tests;

// Each account finds the sample data as they were.
const Desk& desk(const std::string& login) {
  static std::map<std::string, std::unique_ptr<Desk>> desks;
  std::unique_ptr<Desk>& desk = desks[login];
  if (!desk) desk = std::make_unique<Desk>();
  return *desk;
}

using Names = std::set<std::string>;

constexpr int most_steps = 10;  // of one record
constexpr const char* records_of_state = "6";

std::string kebab(const std::string& pascal) {
  std::string name;
  for (const char c : pascal) {
    if (std::isupper(static_cast<unsigned char>(c)) && !name.empty()) name += '-';
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name;
}

// A value for a parameter as $options describes it.
std::string value_for(const json::Node& parameter) {
  const std::string type = text_of(parameter, "dataType");
  if (text_of(parameter, "secret") != "(none)") return "\"callisto\"";  // the one that all have: it stays as it is
  if (type == "Text" || type == "RichText") return "\"x\"";
  if (type == "Boolean") return "true";
  if (type == "DateTime") return "\"2030-01-01T00:00:00Z\"";
  if (type == "Lookup") return desk("admin").refs("admin", text_of(parameter, "type"), {{"$top", "1"}}).front();
  return "1";
}

std::string parameters_of(const std::string& entity, const std::string& action) {
  const Reply options = desk("admin").get("admin", entity + "/$" + action, {{"$options", ""}});
  INFO(entity << " " << action << " " << options.raw.substr(0, 300));
  REQUIRE(options.status == 200);
  std::string body;
  Names groups;
  for (const json::Node& parameter : options.body.find("parameters")->items()) {
    const std::string group = text_of(parameter, "requiredGroup");
    const bool is_due = text_of(parameter, "required") == "true" || text_of(parameter, "dataType") == "Boolean" ||
                        text_of(parameter, "secret") == "current" || (group != "(none)" && groups.insert(group).second);
    if (is_due) body += (body.empty() ? "" : ", ") + ('"' + text_of(parameter, "name") + "\": ") + value_for(parameter);
  }
  return body;
}

// An update needs a property to change: the entity's first text that is no name of a person and no tag.
std::string change_of(const std::string& entity) {
  const Reply options = desk("admin").get("admin", entity + "/$update", {{"$options", ""}});
  REQUIRE(options.status == 200);
  const Names names{"AssetRef", "FirstName", "LastName", "LoginId"};
  for (const json::Node& property : options.body.find("properties")->items())
    if (text_of(property, "dataType") == "Text" && names.count(text_of(property, "name")) == 0)
      return '"' + text_of(property, "name") + "\": \"changed\"";
  return {};
}

struct Request {
  std::string method, path, body;  // the path below the record
};

Request request_of(const std::string& entity, const std::string& action) {
  if (action == "Delete") return {"DELETE", "", ""};
  if (action == "Update") return {"PUT", "", "{" + change_of(entity) + "}"};
  static std::map<std::string, std::string> bodies;
  const std::string name = kebab(action);
  auto body = bodies.find(entity + "/" + name);
  if (body == bodies.end()) body = bodies.emplace(entity + "/" + name, parameters_of(entity, name)).first;
  return {"PUT", "/" + name, "{" + body->second + "}"};
}

// Walks over records of one entity as one account.
class Walk {
 public:
  Walk(std::string login, std::string entity) : login_(std::move(login)), entity_(std::move(entity)) {
    const Reply metadata = desk(login_).get(login_, entity_, {{"$metadata", ""}});
    REQUIRE(metadata.status == 200);
    all_ = metadata.actions();
    all_.erase("Create");
    all_.erase("Restore");  // of what is deleted, see deleting_test; some entities have one of their own
  }

  void run(const std::string& filter) {
    const Query newest{{"$filter", filter}, {"$orderby", "Ref desc"}, {"$top", records_of_state}};
    for (const std::string& key : desk(login_).refs("admin", entity_, newest)) {
      path_ = entity_ + "/" + key;
      for (int step = 0; step < most_steps && take_step(); ++step) {}
    }
  }

  const Names& all() const { return all_; }
  const Names& accepted() const { return accepted_; }

 private:
  Reply perform(const std::string& action) const {
    const Request request = request_of(entity_, action);
    return desk(login_).send(login_, request.method, path_ + request.path, request.body);
  }

  // Tries all that is not listed, then the listed action that was tried least in this state; false at the record's end.
  bool take_step() {
    const Reply record = desk(login_).get(login_, path_);
    if (record.status != 200) return check_hidden(record), false;
    const Names listed = record.actions();
    for (const std::string& action : all_)
      if (listed.count(action) == 0) check_refused(action, record);
    CHECK(desk(login_).get(login_, path_).headers.at("etag") == record.headers.at("etag"));
    const std::string next = least_tried(listed, record["State"]);
    if (next.empty()) return false;
    const Reply reply = perform(next);
    INFO(login_ << ": " << next << " of " << path_ << " in state " << record["State"] << " -> "
                << reply.raw.substr(0, 500));
    // Whether others refer to it is not looked up for each record that is read.
    if (next == "Delete" && reply.status == 400 && reply.raw.find(" refer") != std::string::npos) return false;
    CHECK(reply.status == 200);
    if (next != "Restore") accepted_.insert(next);
    return true;
  }

  // What this account cannot see, or what is gone, it cannot change either.
  void check_hidden(const Reply& answer) const {
    INFO(login_ << ": " << path_ << " -> " << answer.status << " " << answer.raw.substr(0, 500));
    REQUIRE((answer.status == 403 || answer.status == 404));
    const Reply before = desk(login_).get("admin", path_);
    for (const std::string& action : all_) check_refused(action, answer);
    const Reply after = desk(login_).get("admin", path_);
    CHECK(after.raw == before.raw);
  }

  void check_refused(const std::string& action, const Reply& record) const {
    const Reply reply = perform(action);
    INFO(login_ << ": " << action << " of " << path_ << " in state " << record["State"] << " -> " << reply.status << " "
                << reply.raw.substr(0, 500));
    CHECK((reply.status == 400 || reply.status == 403 || reply.status == 404 || reply.status == 405));
    CHECK(reply["SubStatus"] != "None");  // not for its parameters
  }

  std::string least_tried(const Names& listed, const std::string& state) {
    std::string best;
    for (const std::string& action : listed)
      if (action != "Delete" && (best.empty() || tried_[{state, action}] < tried_[{state, best}])) best = action;
    if ((best.empty() || tried_[{state, best}] > 0) && listed.count("Delete") && tried_[{state, "Delete"}] == 0)
      best = "Delete";
    if (!best.empty()) ++tried_[{state, best}];
    return best;
  }

  std::string login_, entity_, path_;
  Names all_, accepted_;
  std::map<std::pair<std::string, std::string>, int> tried_;  // state, action
};

struct Subject {
  std::string entity;
  int states;          // 0: none
  std::string filter;  // which records; those of the accounts themselves stay as they are
  std::vector<std::string>
      fresh;  // bodies of records that an administrator adds, for states that the samples hardly have
};

const std::string kept_back = R"({"ShortDescription": "x", "Submit": false})";
const std::string new_request = R"({"Title": "x", "Submit": false})";
const std::string of_request = R"({"Title": "x", "Request": 20})";

const std::vector<Subject> subjects{
    {"call", 6, "Ref > 0", {kept_back, kept_back}},
    {"incident", 6, "Ref > 0", {kept_back, kept_back, kept_back}},
    {"problem", 6, "Ref > 0", {kept_back, kept_back, kept_back}},
    {"service-request", 6, "Ref > 0", {kept_back, kept_back, kept_back}},
    {"request",
     6,
     "Ref > 0",
     {R"({"Title": "x", "Template": 1})", R"({"Title": "x", "Template": 3})", R"({"Title": "x", "Template": 4})",
      new_request, new_request, new_request}},
    {"approval",
     7,
     "Ref > 0",
     {of_request, of_request, of_request, R"({"Title": "x", "Request": 20, "Predecessor": 74})"}},
    {"task", 5, "Ref > 0", {of_request, of_request}},
    {"knowledge", 4, "Ref > 0", {R"({"Title": "x"})", R"({"Title": "x"})"}},
    {"configuration-item", 0, "Ref > 0", {R"({"AssetRef": "FRESH-1", "Name": "x"})"}},
    {"service", 0, "Ref > 0", {R"({"AssetRef": "FRESH-2", "Name": "x"})"}},
    {"person", 0, "Ref > 10", {R"({"LastName": "Fresh"})"}},
    {"cmdb-link", 0, "Ref > 0", {}}};

std::vector<std::string> filters(const Subject& subject, const std::string& also) {
  std::vector<std::string> result;
  for (int state = 0; state < subject.states; ++state)
    result.push_back("State == " + std::to_string(state) + " && " + also);
  if (result.empty()) result.push_back(also);
  return result;
}

// Walks over all subjects; whether every action was accepted somewhere.
void walk_all(const std::string& login, bool must_cover) {
  for (const Subject& subject : subjects) {
    Walk walk(login, subject.entity);
    if (must_cover)
      for (const std::string& body : subject.fresh) desk(login).done(login, "POST", subject.entity, body);
    for (const std::string& filter : filters(subject, subject.filter)) walk.run(filter);
    INFO(subject.entity);
    if (must_cover) CHECK(walk.accepted() == walk.all());
  }
}

}  // namespace

TEST_CASE("a User session is offered what it may do to records of its own, and no more") {
  for (const char* entity : {"call", "incident", "request"}) {
    Walk own("user", entity);
    for (int state = 0; state < 6; ++state) own.run("User == 4 && State == " + std::to_string(state));
    CHECK(own.accepted().count("Update") == 1);
    CHECK(own.accepted().count("Forward") == 0);
  }
  Walk profile("user", "person");
  profile.run("Ref == 4");
  CHECK(profile.accepted() == Names{"SetPassword", "Update"});
  walk_all("user", false);
}

TEST_CASE("an analyst is offered what is accepted, and all else is refused") { walk_all("analyst", false); }

TEST_CASE("an administrator can take every action of every entity in some state") { walk_all("admin", true); }
