// A server of a test program's own with the sample desk, for tests that change it, and its answers taken apart. One
// thread.
#pragma once

#include "server_process.h"

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace callisto::tests {

// What a member holds: a text as it is, a number's digits, "true", "false", "null"; "(none)" where there is no such
// member.
std::string text_of(const json::Node& object, std::string_view member);

struct Reply {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string raw;
  json::Node body;  // null where the answer is no JSON

  std::string operator[](std::string_view member) const { return text_of(body, member); }
  std::set<std::string> actions() const;  // what _actions lists
  std::set<std::string> errors() const;   // the properties that Errors names
};

class Desk {
 public:
  // `arguments`: of serve, besides --samples.
  explicit Desk(const std::vector<std::string>& arguments = {});
  // Signed in as `login`, below v1: desk.send("analyst", "PUT", "call/7/close", R"({"Description": "x"})").
  Reply send(std::string_view login, std::string_view method, std::string_view path, std::string_view body = {},
             const ServerProcess::Headers& headers = {"Content-Type: application/json"}) const;
  Reply get(std::string_view login, std::string_view path, const Query& query = {}) const;
  // The same, where success is due.
  Reply done(std::string_view login, std::string_view method, std::string_view path, std::string_view body = {}) const;
  const std::string& folder() const { return folder_.path(); }
  ServerProcess& server() { return server_; }
  const ServerProcess& server() const { return server_; }
  std::vector<std::string> refs(std::string_view login, std::string_view path, Query query) const;

 private:
  const Client& client(std::string_view login) const;

  TemporaryFolder folder_;
  ServerProcess server_;
  mutable std::map<std::string, Client, std::less<>> clients_;
};

}  // namespace callisto::tests
