#include "webhook_desk.h"

#include "engine/base/base64.h"
#include "engine/base/hmac.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <thread>

namespace callisto::tests {

namespace {

std::vector<std::string> with_scale(const std::vector<std::string>& settings) {
  std::vector<std::string> arguments{"--set", "webhooks.time_scale=0.001"};
  for (const std::string& setting : settings) {
    arguments.emplace_back("--set");
    arguments.push_back(setting);
  }
  return arguments;
}

}  // namespace

WebhookDesk::WebhookDesk(const std::vector<std::string>& settings) : desk(with_scale(settings)) {}

std::string WebhookDesk::add(const std::string& members, const std::string& path) {
  const std::string body =
      R"({"PayloadUrl":")" + receiver.url(path) + R"(","Secret":")" + webhook_secret + "\"," + members + "}";
  return desk.done("admin", "POST", "webhook", body)["Ref"];
}

std::string WebhookDesk::incident(const std::string& short_description) {
  return desk.done("analyst", "POST", "incident", R"({"ShortDescription":")" + short_description + R"("})")["Ref"];
}

Reply WebhookDesk::concluded(const std::string& webhook) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for (;;) {
    const auto refs = desk.refs("admin", "webhook/" + webhook + "/delivery", {{"$orderby", "Ref desc"}, {"$top", "1"}});
    REQUIRE(refs.size() == 1);
    Reply reply = desk.get("admin", "webhook/" + webhook + "/delivery/" + refs.front());
    const std::string status = reply["Status"];
    if (status != "P" && status != "R") return reply;
    INFO(reply.raw);
    REQUIRE(std::chrono::steady_clock::now() < end);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // a poll: the condition above decides
  }
}

bool is_signed(const test::Received& request, const std::string& secret) {
  const auto key = secret.starts_with("whsec_") ? decode_base64(secret.substr(6), Base64::Padded)
                                                : std::optional<std::string>(secret);
  const std::string text =
      request.header("webhook-id") + "." + request.header("webhook-timestamp") + "." + request.body;
  const std::string expected = "v1," + encode_base64(hmac_sha256(*key, text), Base64::Padded);
  return (" " + request.header("webhook-signature") + " ").find(" " + expected + " ") != std::string::npos;
}

std::string text_at(const std::string& json, const std::vector<std::string>& path) {
  const auto document = json::parse(json, json::Limits{32, 1'000'000});
  if (!document) return "(no JSON)";
  const json::Node* node = &*document;
  for (std::size_t i = 0; i + 1 < path.size() && node; ++i) node = node->find(path[i]);
  return node ? text_of(*node, path.back()) : "(none)";
}

}  // namespace callisto::tests
