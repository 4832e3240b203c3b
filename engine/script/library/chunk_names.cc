#include "engine/script/library/chunk_names.h"

#include <charconv>

namespace callisto::script {
namespace {

constexpr std::size_t longest_shown = 59;  // without the '@' or '='
constexpr std::size_t longest_kept = 40;   // of a path's last part

bool goes_on(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }  // a character that began before

std::string short_name(std::string_view path, std::size_t number) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.size() > longest_kept) name.remove_prefix(name.size() - longest_kept);
  while (!name.empty() && goes_on(name.front())) name.remove_prefix(1);
  return std::string(name) + "~" + std::to_string(number);
}

// The line that `text` says behind `file`; 0: it does not begin so. `end`: behind the number.
int line_behind(std::string_view text, std::string_view file, std::size_t& end) {
  if (!text.starts_with(file) || text.substr(file.size(), 1) != ":") return 0;
  int line = 0;
  const char* const digits = text.data() + file.size() + 1;
  end = static_cast<std::size_t>(std::from_chars(digits, text.data() + text.size(), line).ptr - text.data());
  return line;
}

}  // namespace

std::string ChunkNames::add(std::string_view name) {
  if (const auto known = names_.find(name); known != names_.end()) return known->second;
  const std::string path(name.substr(1));
  const bool is_long = path.size() > longest_shown;
  const std::string shown = is_long ? short_name(path, longer_.size() + 1) : path;
  shown_[shown] = path;
  if (is_long) longer_[shown] = path;
  return names_[std::string(name)] = name.front() + shown;
}

const std::string& ChunkNames::file_of(const std::string& shown) const {
  const auto found = shown_.find(shown);
  return found == shown_.end() ? shown : found->second;
}

std::string ChunkNames::restored(std::string text) const {
  for (const auto& [shown, path] : longer_)
    for (std::size_t at = text.find(shown + ":"); at != text.npos; at = text.find(shown + ":", at + path.size()))
      text.replace(at, shown.size(), path);
  return text;
}

std::optional<ChunkNames::Placed> ChunkNames::split(std::string_view message) const {
  for (const auto& [shown, path] : shown_)
    for (const std::string* file : {&shown, &path}) {
      std::size_t end = 0;
      const int line = line_behind(message, *file, end);
      if (line > 0 && message.substr(end, 2) == ": ") return Placed{path, std::string(message.substr(end + 2)), line};
    }
  return std::nullopt;
}

int line_in(std::string_view message, std::string_view traceback, std::string_view file) {
  std::size_t end = 0;
  if (const int line = line_behind(message, file, end); line > 0) return line;
  const std::string frame = "\t" + std::string(file);
  for (std::size_t at = traceback.find(frame); at != traceback.npos; at = traceback.find(frame, at + 1))
    if (const int line = line_behind(traceback.substr(at), frame, end); line > 0) return line;
  return 0;
}

}  // namespace callisto::script
