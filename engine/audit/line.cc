#include "engine/audit/line.h"

#include "engine/base/running_digest.h"
#include "engine/base/text.h"
#include "engine/json/write.h"

#include <algorithm>
#include <charconv>

namespace callisto::audit {

namespace {

constexpr std::string_view hash_key = ",\"hash\":\"";
constexpr std::size_t digits = 64;
constexpr std::size_t end_size = hash_key.size() + digits + 2;
constexpr std::string_view replacement = "\xEF\xBF\xBD";

std::size_t bytes_of(unsigned char lead) { return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4; }

// JSON escapes what is below 0x20; DEL and C1 (U+0080 to U+009F) would pass through it.
bool drives_terminals(std::string_view character) {
  return character == "\x7F" || (character[0] == '\xC2' && static_cast<unsigned char>(character[1]) < 0xA0);
}

std::string clean(std::string_view text, std::size_t longest) {
  const bool is_cut = text.size() > 4 * longest;  // no character is longer
  if (is_cut) text = text.substr(0, 4 * longest);
  std::string out;
  std::size_t valid = text::valid_prefix(text);
  for (std::size_t at = 0, count = 0; at < text.size(); ++count) {
    if (count == longest) return out + "...";
    const bool is_valid = at < valid;
    const std::string_view character = text.substr(at, is_valid ? bytes_of(static_cast<unsigned char>(text[at])) : 1);
    out += is_valid && !drives_terminals(character) ? character : replacement;
    at += character.size();
    if (at > valid) valid = at + text::valid_prefix(text.substr(at));
  }
  return is_cut ? out + "..." : out;
}

void put(json::Writer& writer, std::string_view key, std::string_view text, std::size_t longest) {
  if (!text.empty()) writer.key(key).string(clean(text, longest));
}

void put(json::Writer& writer, std::string_view key, const std::optional<std::int64_t>& number) {
  if (number) writer.key(key).integer(*number);
}

std::string text_of(const json::Node& object, std::string_view key) {
  const json::Node* node = object.find(key);
  return node ? node->text() : std::string();
}

}  // namespace

NewLine make_line(const Event& event, DateTime time, const Link& previous, std::string_view torn) {
  NewLine line;
  line.link.sequence = previous.sequence + 1;
  json::Writer writer(line.text);
  writer.begin_object();
  writer.key("time").string(to_iso8601(time));
  writer.key("sequence").integer(line.link.sequence);
  writer.key("event").string(name(event.kind));
  put(writer, "person", event.person);
  put(writer, "client", event.client, 200);
  put(writer, "session", event.session);
  put(writer, "address", event.address, 64);
  put(writer, "login", event.login, 80);
  put(writer, "entity", event.entity, 100);
  put(writer, "key", event.key);
  put(writer, "action", event.action, 100);
  if (!event.token.empty()) writer.key("token").string(sha256_hex(event.token).substr(0, 8));
  put(writer, "reason", event.reason, 500);
  put(writer, "torn", torn, digits);
  writer.key("previous").string(previous.hash);
  line.link.hash = sha256_hex(line.text);
  line.text.append(hash_key).append(line.link.hash).append("\"}");
  return line;
}

bool has_hash(std::string_view text) {
  return text.size() > end_size && text.ends_with("\"}") && text.substr(text.size() - end_size).starts_with(hash_key);
}

std::optional<Line> read_line(std::string_view text) {
  if (!has_hash(text) || text.size() > longest_line) return std::nullopt;
  Line line;
  line.link.hash = text.substr(text.size() - 2 - digits, digits);
  if (sha256_hex(text.substr(0, text.size() - end_size)) != line.link.hash) return std::nullopt;
  auto members = json::parse(std::string(text));
  if (!members) return std::nullopt;
  line.members = *std::move(members);
  const std::string sequence = text_of(line.members, "sequence");
  const char* end = sequence.data() + sequence.size();
  const auto [stop, problem] = std::from_chars(sequence.data(), end, line.link.sequence);
  if (problem != std::errc() || stop != end) return std::nullopt;
  line.previous = text_of(line.members, "previous");
  line.event = text_of(line.members, "event");
  line.torn = text_of(line.members, "torn");
  return line;
}

}  // namespace callisto::audit
