#include "engine/records/record_fields.h"

#include <algorithm>
#include <cctype>

namespace callisto::records {

namespace {

bool is_word_part(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_word_part(text[at - 1]);
    if (begins && (end == text.size() || !is_word_part(text[end]))) return true;
  }
  return false;
}

}  // namespace

bool RecordFields::hides_word_of(std::string_view filter) const {
  return std::any_of(hidden.begin(), hidden.end(),
                     [&](const catalog::Property* property) { return has_word(filter, property->name); });
}

}  // namespace callisto::records
