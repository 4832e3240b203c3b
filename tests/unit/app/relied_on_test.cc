// Entities that lack what the program itself needs of them: `callisto check` tells before the server starts.
#include "rule_desk.h"

#include <catch2/catch.hpp>

#include <string>

using callisto::test::RuleDesk;

namespace {

// All that signing in needs, in the one file `role` or `person` as they are given.
void write_sign_in(const RuleDesk& desk, const std::string& role, const std::string& person) {
  const auto write = [&](const std::string& name, const std::string& properties) {
    desk.write("entities/" + name + ".lua",
               "return entity \"" + name + "\" {\n  properties = { " + properties + " },\n}\n");
  };
  desk.write("entities/common.lua", R"(return common {
  properties = { key "Ref", text "Id", datetime "CreatedDate", datetime "UpdatedDate",
    boolean "IsDeleted" { internal = true }, long "RecordVersion" { internal = true } },
}
)");
  write("role", role);
  write("person", person);
  write("client",
        R"(text "ClientId", text "Name", text "Description", text "SessionType", text "Grants", )"
        R"(text "RedirectUris", boolean "IsEnabled", boolean "HasSecret", lookup "Role" { entity = "role" })");
  write("session", R"(lookup "Person" { entity = "person" }, lookup "Client" { entity = "client" }, )"
                   R"(text "SessionType", text "Address", datetime "LastUsed", datetime "ExpiresDate")");
  write("person-role", R"(lookup "Person" { entity = "person" }, lookup "Role" { entity = "role" })");
  write("identity-link", R"(lookup "Person" { entity = "person" }, text "Issuer", text "Subject")");
  write("role-partition", R"(lookup "Role" { entity = "role" }, lookup "Partition" { entity = "author" })");
}

const std::string role = R"(text "Name", text "Rights", boolean "AllPartitions")";
const std::string person =
    R"(text "FirstName", text "LastName", text "Name", richtext "LoginId", boolean "IsActive", boolean "IsAnalyst", )"
    R"(boolean "IsUser", boolean "IsLoggedIn", datetime "LastLoginDate")";

}  // namespace

TEST_CASE("what signing in needs of entities is there, whatever else is") {
  const RuleDesk desk;
  write_sign_in(desk, role + ", text \"Colour\"", person);
  CHECK(desk.text().empty());
}

TEST_CASE("a property that signing in needs is missing, or stored otherwise") {
  const RuleDesk desk;
  write_sign_in(desk, R"(integer "Name", text "Rights")", person + R"(, boolean "IsVip" { stored = { "Y", "N" } })");
  CHECK(desk.text() == R"(entities/role.lua:1: 'role' has no property 'AllPartitions', and signing in needs it
    return entity "role" {
                   ^~~~
    put `boolean "AllPartitions"` back
entities/role.lua:2: 'Name' is no plain Text, and signing in needs it in 'role'
      properties = { integer "Name", text "Rights" },
                              ^~~~
    declare it as `text "Name"`, without 'stored'
)");
  write_sign_in(desk, role, R"(text "FirstName", text "LastName", text "Name", text "LoginId", boolean "IsAnalyst",
    boolean "IsActive" { stored = { "Y", "N" } },
    boolean "IsUser", boolean "IsLoggedIn", datetime "LastLoginDate")");
  CHECK(desk.text() == R"(entities/person.lua:3: 'IsActive' is no plain Boolean, and signing in needs it in 'person'
        boolean "IsActive" { stored = { "Y", "N" } },
                 ^~~~~~~~
    declare it as `boolean "IsActive"`, without 'stored'
)");
}

TEST_CASE("an entity that signing in needs is missing") {
  const RuleDesk desk;
  desk.write("entities/role.lua", "return entity \"role\" { properties = { " + role + " } }\n");
  const std::string text = desk.text();
  CAPTURE(text);
  CHECK(text.find("entities: there is no entity 'session', and signing in needs it\n"
                  "    put its file back: entities/session.lua\n") != std::string::npos);
  CHECK(text.find("'role' has no property 'CreatedDate', and signing in needs it") != std::string::npos);
  CHECK(text.find("put `datetime \"CreatedDate\"` back, into common.lua\n") != std::string::npos);
  CHECK(text.find("webhook") == std::string::npos);
}

TEST_CASE("what webhooks need of entities is missing") {
  const RuleDesk desk;
  desk.write("entities/webhook.lua", "return entity \"webhook\" { properties = { text \"Name\" } }\n");
  const std::string text = desk.text();
  CAPTURE(text);
  CHECK(text.find("'webhook' has no property 'PayloadUrl', and telling of events needs it") != std::string::npos);
  CHECK(text.find("there is no entity 'webhook-delivery', and telling of events needs it") != std::string::npos);
  CHECK(text.find("signing in") == std::string::npos);
}

TEST_CASE("what failures of scripts need of the entity that keeps them is missing") {
  const RuleDesk desk;
  desk.write("entities/script-failure.lua", "return entity \"script-failure\" { properties = { text \"File\" } }\n");
  CHECK(desk.text().find("'script-failure' has no property 'Line', and keeping failures of scripts needs it") !=
        std::string::npos);
}

TEST_CASE("entities whose deleted records stay need the mark") {
  const RuleDesk desk;
  desk.write("entities/common.lua", "return common {\n  properties = { key \"Ref\", text \"Id\" },\n}\n");
  CHECK(desk.text() == R"(entities/common.lua: deleted records need a property `boolean "IsDeleted"`
    put it where every entity has it, into common.lua, or say `deletable = false` of each
)");
  for (const char* name : {"author", "book"})
    desk.write("entities/" + std::string(name) + ".lua",
               "return entity \"" + std::string(name) +
                   "\" { deletable = false, properties = { text \"Title\", short \"State\" } }\n");
  CHECK(desk.text().empty());
}

TEST_CASE("of what common.lua lacks nothing is said where it cannot be read") {
  const RuleDesk desk;
  desk.write("entities/common.lua", "return common {\n");
  const std::string text = desk.text();
  CAPTURE(text);
  CHECK(text.find("entities/common.lua:") == 0);
  CHECK(text.find("IsDeleted") == std::string::npos);
}
