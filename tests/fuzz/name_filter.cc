// A webhook's filter of file names, the first line, and a name. It ends in time, says the same each time and whatever
// the case, and lets every name pass where it is empty.
#include "webhooks/name_filter.h"
#include "engine/base/text.h"
#include "tests/fuzz/require.h"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using callisto::webhooks::NameFilter;
  const std::string input(reinterpret_cast<const char*>(data), size);
  const std::size_t line = std::min(input.find('\n'), size);
  const std::string name = line < size ? input.substr(line + 1) : std::string();
  const auto filter = NameFilter::parse(input.substr(0, line));
  if (!filter) {
    require(filter.error().status == 400 && !filter.error().message.empty());
    return 0;
  }
  const bool matches = filter->matches(name);
  require(matches == filter->matches(name));
  require(matches == filter->matches(callisto::text::ascii_lower(name)));
  if (input.find_first_not_of("; ") >= line) require(matches);
  return 0;
}
