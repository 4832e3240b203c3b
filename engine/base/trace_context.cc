#include "engine/base/trace_context.h"

#include "engine/base/text.h"

#include <algorithm>

namespace callisto {

namespace {

// "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" (3.2.2): version, trace-id, parent-id, trace-flags.
constexpr std::size_t length = 55, trace_digits = 32, parent_digits = 16;
constexpr std::size_t at_trace = 3, at_parent = at_trace + trace_digits + 1, at_flags = at_parent + parent_digits + 1;

bool is_hex(std::string_view text) { return text.find_first_not_of("0123456789abcdef") == text.npos; }
bool is_not_zero(std::string_view text) { return text.find_first_not_of('0') != text.npos; }

// "All bytes as zero is considered an invalid value", of both ids (3.2.2.3, 3.2.2.4); version ff is one as well. What
// comes behind the four fields is of a version to come (3.2.4), and 00 has nothing there.
bool is_valid(std::string_view text) {
  if (text.size() < length || text[2] != '-' || text[at_parent - 1] != '-' || text[at_flags - 1] != '-') return false;
  const std::string_view version = text.substr(0, 2), trace = text.substr(at_trace, trace_digits),
                         parent = text.substr(at_parent, parent_digits), flags = text.substr(at_flags, 2);
  if (!is_hex(version) || !is_hex(trace) || !is_hex(parent) || !is_hex(flags)) return false;
  if (version == "ff" || !is_not_zero(trace) || !is_not_zero(parent)) return false;
  return version == "00" ? text.size() == length : text.size() == length || text[length] == '-';
}

// Written in the version that this code knows (3.2.4); of the flags it knows "sampled", and sets the others to zero
// (3.2.2.5.2).
std::string as_version_00(std::string_view text) {
  const char last = text[at_flags + 1];
  const int digit = last <= '9' ? last - '0' : last - 'a' + 10;
  return "00" + std::string(text.substr(2, at_flags - 2)) + (digit % 2 == 1 ? "01" : "00");
}

bool is_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
         std::string_view("_-*/@").find(c) != std::string_view::npos;
}

// "key=value" (3.3.1.3): a value of printable ASCII without commas and equal signs.
bool is_member(std::string_view text) {
  constexpr std::size_t most = 256;
  const std::size_t equals = text.find('=');
  if (equals == text.npos || equals == 0 || equals > most || text.size() - equals - 1 > most) return false;
  const std::string_view key = text.substr(0, equals), value = text.substr(equals + 1);
  return std::all_of(key.begin(), key.end(), is_key_character) && !value.empty() &&
         std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c <= '~' && c != '=' && c != ','; });
}

// "Vendors SHOULD propagate at least 512 characters"; where there are more, "entries larger than 128 characters long
// SHOULD be removed first", then those at the end (3.3.1.5).
std::string shortened(std::vector<std::string_view> members) {
  constexpr std::size_t most = 512, large = 128;
  const auto all = [&] {
    std::size_t size = members.size() - 1;
    for (const std::string_view each : members) size += each.size();
    return size;
  };
  if (!members.empty() && all() > most)
    std::erase_if(members, [](std::string_view each) { return each.size() > large; });
  while (!members.empty() && all() > most) members.pop_back();
  std::string text;
  for (const std::string_view each : members) text += (text.empty() ? "" : ",") + std::string(each);
  return text;
}

// Several headers are one list (3.3.1.1), with blanks around its members and none between two commas (3.3.1.2). A list
// that is none is left out as a whole.
std::string read_state(const std::vector<std::string_view>& headers) {
  constexpr std::size_t most_members = 32;
  std::vector<std::string_view> members;
  for (const std::string_view header : headers)
    for (std::string_view each : text::split(header, ',')) {
      each = text::trim(each);
      if (each.empty()) continue;
      if (!is_member(each) || members.size() == most_members) return {};
      members.push_back(each);
    }
  return shortened(std::move(members));
}

}  // namespace

TraceContext read_trace_context(const std::vector<std::string_view>& traceparents,
                                const std::vector<std::string_view>& tracestates) {
  if (traceparents.size() != 1 || !is_valid(traceparents.front())) return {};
  return {as_version_00(traceparents.front()), read_state(tracestates)};
}

}  // namespace callisto
