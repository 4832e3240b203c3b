// The collections of good and bad texts beside the repository; without them there is nothing to check here.
#include "engine/base/base64.h"
#include "engine/base/datetime.h"
#include "engine/json/read.h"
#include "tests/support/paths.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace callisto::json {

namespace {

std::optional<Node> collection(const std::string& file) {
  std::ifstream in(test::source_folder() + "/../shared/data/badinput/" + file, std::ios::binary);
  if (!in) {
    WARN(file << " is not here: skipped");
    return std::nullopt;
  }
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  auto document = parse(text, {.depth = 8, .values = 100000});
  REQUIRE(document);
  REQUIRE_FALSE(document->find("cases")->items().empty());
  return *std::move(document);
}

const std::string& field(const Node& entry, std::string_view name) { return entry.find(name)->text(); }

// A case's text stands in base64, or as a piece to be repeated.
std::string text_of(const Node& entry) {
  if (entry.find("base64")) return decode_base64(field(entry, "base64"), Base64::Padded).value();
  std::string out;
  for (int i = std::stoi(field(entry, "times")); i > 0; --i) out += field(entry, "repeat");
  return out;
}

}  // namespace

TEST_CASE("Every JSON text of the collection is accepted or refused as it should be") {
  const auto cases = collection("json_parsing_dev.json");
  if (!cases) return;
  for (const Node& entry : cases->find("cases")->items()) {
    INFO(field(entry, "name"));
    const bool accepted = parse(text_of(entry)).has_value();
    if (field(entry, "expect") == "accept") CHECK(accepted);
    if (field(entry, "expect") == "reject") CHECK_FALSE(accepted);
  }
}

TEST_CASE("Dates of the collection are read as RFC 3339 says, and ISO 8601 where it allows more") {
  const auto cases = collection("formats_dev.json");
  if (!cases) return;
  constexpr std::string_view hours_alone = "a numeric offset without minutes is invalid";  // ISO 8601 has +01
  for (const Node& entry : cases->find("cases")->items()) {
    const std::string& format = field(entry, "format");
    if (format != "date-time" && format != "date") continue;
    INFO(field(entry, "text") << ": " << field(entry, "why"));
    const bool expected = entry.find("valid")->boolean() || field(entry, "why") == hours_alone;
    CHECK(parse_iso8601(field(entry, "text")).has_value() == expected);
  }
}

}  // namespace callisto::json
