// Scanner: words, signs and brackets of a Lua text with their places; no comments, and texts only if asked for. The
// text must outlive it. Pure; one thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace callisto::script {

class Scanner {
 public:
  enum class Texts { Skipped, Told };  // Told: a text in quotes is one token, with its quotes
  explicit Scanner(std::string_view source, Texts texts = Texts::Skipped) : source_(source), texts_(texts) {}

  int line = 1;
  std::size_t indent = 0;    // of the line of the token
  bool begins_line = false;  // the token is the first of its line
  std::string_view token;

  bool next();

 private:
  void skip();
  void skip_text(char quote);
  std::optional<std::size_t> long_level() const;
  void skip_long(std::size_t level);
  void skip_comment();

  std::string_view source_;
  Texts texts_;
  std::size_t at_ = 0;
  bool is_first_ = true;
};

// The words of a text in double or single quotes, without them and with its plain escapes read.
std::string content_of(std::string_view quoted);
inline bool is_text(std::string_view token) { return !token.empty() && (token[0] == '"' || token[0] == '\''); }

}  // namespace callisto::script
