// The words that a file reads without defining them, found without running it, so that an unknown word is reported
// before its rule is needed. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace callisto::script {

struct WordRead {
  std::string word;
  std::string member;  // that is read of it, as `now` of `datetime`; empty for the word itself
  int line = 0;        // where it stands first
};

// By line. Empty where the text is no Lua: running it tells why.
std::vector<WordRead> words_read(std::string_view text);

}  // namespace callisto::script
