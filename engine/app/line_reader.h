// Lines of a person at a terminal, with editing, history and completion (libedit), or of a pipe, as they come. libedit
// stays inside line_reader.cc. One thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::app {

class LineReader {
 public:
  // Words that may stand where `word` begins one.
  using Complete = std::function<std::vector<std::string>(std::string_view word)>;

  // `history`: the file that keeps lines for the next time; empty: none does.
  LineReader(const std::string& history, Complete complete);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  bool is_terminal() const { return terminal_ != nullptr; }
  bool read(const char* prompt, std::string& line);  // without its end; false: there is none any more

 private:
  struct Terminal;
  std::unique_ptr<Terminal> terminal_;  // null: standard input is none
};

// What all of `words` begin with; behind it they differ.
std::string_view common_beginning(const std::vector<std::string>& words);

}  // namespace callisto::app
