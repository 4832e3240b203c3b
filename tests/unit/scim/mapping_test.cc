// What scripts/scim.lua may say, and how its mistakes are told.
#include "engine/scim/mapping.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include "tests/support/temporary_folder.h"

using namespace callisto;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

std::string told(const std::string& mapping) {
  const test::TemporaryFolder folder;
  const auto write = [&](const std::string& file, const std::string& text) {
    fs::create_directories(fs::path(folder / file).parent_path());
    std::ofstream(folder / file) << text;
  };
  write("entities/common.lua", "return common { properties = { key \"Ref\", boolean \"IsDeleted\" } }");
  write(
      "entities/worker.lua",
      "return entity \"worker\" { properties = { text \"Login\", text \"Family\", boolean \"Works\", lookup \"Boss\" { "
      "entity = \"worker\" } } }");
  write("entities/team.lua", "return entity \"team\" { properties = { text \"Title\" } }");
  write("entities/seat.lua",
        "return entity \"seat\" { properties = { lookup \"Team\" { entity = \"team\" }, lookup \"Worker\" { entity = "
        "\"worker\" } } }");
  write("entities/thing.lua", "return entity \"thing\" { abstract = true }");
  write("entities/gadget.lua", "return entity \"gadget\" { extends = \"thing\" }");
  write("scripts/scim.lua", mapping);
  const auto loaded = script::load({folder / "entities"}, {folder / "scripts"});
  if (!loaded.program) return to_string(loaded.problems.front());
  std::vector<catalog::Problem> problems;
  const auto bound = scim::Mapping::bind(*loaded.program, problems);
  CHECK((bound != nullptr) == problems.empty());
  if (bound) CHECK(bound->resources().size() == loaded.program->scim.size());
  return problems.empty() ? "none" : to_string(problems.front());
}

std::string user(const std::string& attributes, const std::string& more = {}) {
  return "return scim {\n  resource \"User\" {\n    entity = \"worker\",\n    attributes = {\n      " + attributes +
         "\n    },\n    " + more + "\n  },\n}";
}

std::string with_group(const std::string& group) {
  return "return scim {\n  resource \"User\" { entity = \"worker\", attributes = { userName = \"Login\" } },\n  "
         "resource \"Group\" {\n    " +
         group + "\n  },\n}";
}

}  // namespace

TEST_CASE("a mapping may name any attribute of RFC 7643 that fits its property") {
  CHECK(told(user("userName = \"Login\", active = \"Works\", [\"name.familyName\"] = \"Family\", [\"emails.home\"] = "
                  "\"Family\", "
                  "[\"enterprise.manager\"] = \"Boss\", externalId = \"Login\"",
                  "otherwise = { Family = \"userName\" }")) == "none");
  CHECK(told(with_group(
            "entity = \"team\", attributes = { displayName = \"Title\" }, members = \"seat\", group = \"Team\", "
            "member = \"Worker\"")) == "none");
}

TEST_CASE("mistakes of a mapping are told with their line") {
  struct Row {
    std::string mapping, told;
  };
  const Row rows[] = {
      {user("username = \"Login\""), "none"},  // names of attributes match in any case
      {user("userNaem = \"Login\""),
       "scim.lua:5: resource 'User': has no attribute 'userNaem'; did you mean 'userName'?"},
      {user("userName = \"Logn\""),
       "scim.lua:5: resource 'User': 'worker' has no property 'Logn'; did you mean 'Login'?"},
      {user("userName = \"Works\""), "'Works' is a Boolean, which userName cannot be kept in"},
      {user("userName = \"Login\", active = \"Family\""), "'Family' is a Text, which active cannot be kept in"},
      {user("userName = \"Login\", [\"enterprise.manager\"] = \"Login\""),
       "which enterprise.manager cannot be kept in"},
      {user("userName = \"Login\", emails = \"Login\""), "has no attribute 'emails'"},
      {user("userName = \"Login\", name = \"Family\""), "has no attribute 'name'"},
      {user("active = \"Works\""), "scim.lua:4: resource 'User': needs userName"},
      {user("userName = \"Login\"", "otherwise = { Famly = \"userName\" }"), "'worker' has no property 'Famly'"},
      {user("userName = \"Login\"", "otherwise = { Family = \"title\" }"), "'attributes' has no 'title'"},
      {user("userName = \"Login\"", "members = \"seat\", group = \"Team\", member = \"Worker\""),
       "a User none of them"},
      {user("userName = 1"), "'attributes' of resource 'User' must be names for names"},
      {"return scim { resource \"User\" { entity = \"wrker\", attributes = { userName = \"Login\" } } }",
       "there is no entity 'wrker'; did you mean 'worker'?"},
      {"return scim { resource \"User\" { entity = \"thing\", attributes = { userName = \"Login\" } } }",
       "name an entity that is not abstract"},
      {"return scim { resource \"Device\" { entity = \"worker\", attributes = { userName = \"Login\" } } }",
       "a resource is a \"User\" or a \"Group\", not 'Device'"},
      {"return scim { resource \"User\" { entity = \"worker\" } }", "resource 'User' needs 'attributes'"},
      {"return scim {}", "scim is empty"},
      {"return scim { text \"x\" }", "text 'x' does not belong in scim"},
      {with_group("entity = \"team\", attributes = { displayName = \"Title\" }, members = \"seat\", group = "
                  "\"Worker\", member = \"Worker\""),
       "'Worker' is no lookup of 'team'"},
      {with_group("entity = \"team\", attributes = { displayName = \"Title\" }, members = \"seat\", group = \"Team\", "
                  "member = \"Team\""),
       "the 'member' of the Group is no lookup of the User's entity"},
      {with_group("entity = \"team\", attributes = { displayName = \"Title\" }, members = \"seat\""),
       "'members', 'group' and 'member' together"},
  };
  for (const Row& row : rows) {
    INFO(row.mapping);
    CHECK_THAT(told(row.mapping), Contains(row.told));
  }
}
