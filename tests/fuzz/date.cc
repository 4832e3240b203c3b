// Any text as a moment: what is read is written in one form, which reads as the same; sums come back. The first two
// lines are the form and the zone of an import as well.
#include "engine/base/datetime.h"
#include "engine/base/zoned_time.h"
#include "engine/importing/read/dates.h"
#include "tests/fuzz/require.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace {

using namespace callisto;

void check_moment(DateTime moment) {
  const std::string text = to_iso8601(moment);
  require(text.size() == 24 && text[10] == 'T' && text.back() == 'Z');
  require(text.substr(0, 4) >= "0001");
  const auto again = parse_iso8601(text);
  require(again && *again == moment);
}

void check_sum(DateTime moment, std::string_view bytes) {
  std::int64_t parts[3] = {};
  std::memcpy(parts, bytes.data(), std::min(bytes.size(), sizeof parts));
  const auto sum = add(moment, parts[0], parts[1], parts[2]);
  if (!sum) return;
  check_moment(*sum);
  const auto back = add(*sum, -parts[0], -parts[1], -parts[2]);
  require(back && *back == moment);
}

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

void check_import(std::string_view text) {
  const std::string form(take_line(text)), name(take_line(text));
  const auto zone = TimeZone::named(name);
  if (!importing::DateReader::check_form(form) || !zone) return;
  const importing::DateReader reader(form, *zone);
  if (const auto moment = reader.read(text)) check_moment(*moment);
  // Its own example is one.
  const std::string example = reader.expected_instead("");
  if (!form.empty()) require(reader.read(std::string_view(example).substr(15)).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_import(text);
  const auto moment = parse_iso8601(text);
  if (moment) check_moment(*moment);
  check_sum(moment.value_or(DateTime{}), text);
  return 0;
}
