#include "desk.h"

#include <catch2/catch.hpp>

namespace callisto::tests {

namespace {

Reply taken_apart(Answer answer) {
  Reply reply;
  reply.status = answer.status;
  reply.headers = std::move(answer.headers);
  reply.raw = std::move(answer.body);
  if (auto body = json::parse(reply.raw, json::Limits{32, 1'000'000})) reply.body = *std::move(body);
  return reply;
}

// Each person signs in once, and a busy machine may take longer for one test than tokens usually last.
std::vector<std::string> with_samples(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"--samples", "--set", "oauth.access_seconds=7200"});
  return arguments;
}

}  // namespace

std::string text_of(const json::Node& object, std::string_view member) {
  const json::Node* node = object.find(member);
  if (!node) return "(none)";
  if (node->is_null()) return "null";
  if (node->kind() == json::Node::Kind::Boolean) return node->boolean() ? "true" : "false";
  return node->text();
}

std::set<std::string> Reply::actions() const {
  std::set<std::string> names;
  if (const json::Node* list = body.find("_actions"))
    for (const json::Member& member : list->members()) names.insert(member.name);
  return names;
}

std::set<std::string> Reply::errors() const {
  std::set<std::string> names;
  if (const json::Node* list = body.find("Errors"))
    for (const json::Node& error : list->items()) names.insert(text_of(error, "Property"));
  return names;
}

Desk::Desk(const std::vector<std::string>& arguments) : server_(folder_.path(), with_samples(arguments)) {}

const Client& Desk::client(std::string_view login) const {
  auto client = clients_.find(login);
  if (client == clients_.end()) {
    const char* scope = login.starts_with("user") ? "session-type:User" : "session-type:Analyst";
    client = clients_.emplace(login, Client(server_, server_.token(login, scope))).first;
  }
  return client->second;
}

Reply Desk::send(std::string_view login, std::string_view method, std::string_view path, std::string_view body,
                 const ServerProcess::Headers& headers) const {
  return taken_apart(client(login).send(method, "v1/" + std::string(path), body, headers));
}

Reply Desk::get(std::string_view login, std::string_view path, const Query& query) const {
  return taken_apart(client(login).get("v1/" + std::string(path), query));
}

Reply Desk::done(std::string_view login, std::string_view method, std::string_view path, std::string_view body) const {
  Reply reply = send(login, method, path, body);
  INFO(login << ": " << method << " " << path << " " << body << " -> " << reply.status << " "
             << reply.raw.substr(0, 1000));
  REQUIRE(reply.status == 200);
  return reply;
}

std::vector<std::string> Desk::refs(std::string_view login, std::string_view path, Query query) const {
  query.emplace_back("$select", "Ref");
  const Reply page = get(login, path, query);
  INFO(login << ": " << path << encoded(query) << " -> " << page.raw.substr(0, 500));
  REQUIRE(page.status == 200);
  std::vector<std::string> keys;
  for (const json::Node& row : page.body.find("results")->items()) keys.push_back(text_of(row, "Ref"));
  return keys;
}

}  // namespace callisto::tests
