#include "engine/app/line_reader.h"

#include "engine/base/freed.h"

#include <histedit.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <iostream>
#include <utility>

namespace callisto::app {

namespace {

constexpr int kept_lines = 1000;

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

// Before the cursor.
std::string_view word_of(const LineInfo& line) {
  const char* begin = line.cursor;
  while (begin > line.buffer && is_of_word(begin[-1])) --begin;
  return {begin, static_cast<std::size_t>(line.cursor - begin)};
}

}  // namespace

std::string_view common_beginning(const std::vector<std::string>& words) {
  if (words.empty()) return {};
  std::string_view common = words.front();
  for (const std::string& word : words) {
    const auto end = std::mismatch(common.begin(), common.end(), word.begin(), word.end()).first;
    common = common.substr(0, static_cast<std::size_t>(end - common.begin()));
  }
  return common;
}

struct LineReader::Terminal {
  Terminal(std::string history_file, Complete completion)
      : file(std::move(history_file)),
        complete(std::move(completion)),
        past(history_init()),
        edit(el_init("callisto", stdin, stdout, stderr)) {
    std::setlocale(LC_CTYPE, "C.UTF-8");  // what a letter is
    HistEvent event;
    history(past.get(), &event, H_SETSIZE, kept_lines);
    history(past.get(), &event, H_SETUNIQUE, 1);
    if (!file.empty()) history(past.get(), &event, H_LOAD, file.c_str());
    el_set(edit.get(), EL_CLIENTDATA, this);
    el_set(edit.get(), EL_PROMPT, &Terminal::show_prompt);
    el_set(edit.get(), EL_EDITOR, "emacs");
    el_set(edit.get(), EL_SIGNAL, 1);
    el_set(edit.get(), EL_HIST, history, past.get());
    el_set(edit.get(), EL_ADDFN, "complete", "Completes a word", &Terminal::complete_word);
    el_set(edit.get(), EL_BIND, "^I", "complete", nullptr);
  }

  static Terminal& of(EditLine* edit) {
    Terminal* terminal = nullptr;
    el_get(edit, EL_CLIENTDATA, &terminal);
    return *terminal;
  }
  static char* show_prompt(EditLine* edit) { return const_cast<char*>(of(edit).prompt); }

  // As far as it is clear; where it is not, shows what there is.
  static unsigned char complete_word(EditLine* edit, int) {
    const std::string_view word = word_of(*el_line(edit));
    const std::vector<std::string> words = of(edit).complete(word);
    if (words.empty()) return CC_ERROR;
    const std::string rest(common_beginning(words).substr(word.size()));
    if (!rest.empty()) return el_insertstr(edit, rest.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
    if (words.size() == 1) return CC_ERROR;  // it is whole
    std::putchar('\n');
    for (const std::string& each : words) std::printf("%s  ", each.c_str());
    std::putchar('\n');
    std::fflush(stdout);
    return CC_REDISPLAY;
  }

  // What begins with a blank is not kept: a password, perhaps.
  void keep(const std::string& line) {
    if (line.empty() || line.front() == ' ') return;
    HistEvent event;
    history(past.get(), &event, H_ENTER, line.c_str());
    if (!file.empty()) history(past.get(), &event, H_SAVE, file.c_str());
  }

  const std::string file;
  const Complete complete;
  const char* prompt = "";
  const std::unique_ptr<History, Freed<history_end>> past;
  const std::unique_ptr<EditLine, Freed<el_end>> edit;
};

LineReader::LineReader(const std::string& history, Complete complete) {
  if (isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1)
    terminal_ = std::make_unique<Terminal>(history, std::move(complete));
}

LineReader::~LineReader() = default;

bool LineReader::read(const char* prompt, std::string& line) {
  std::fflush(stdout);
  if (!terminal_) return static_cast<bool>(std::getline(std::cin, line));
  terminal_->prompt = prompt;
  int length = 0;
  const char* const text = el_gets(terminal_->edit.get(), &length);
  if (!text || length <= 0) return false;
  line.assign(text, static_cast<std::size_t>(length));
  while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
  terminal_->keep(line);
  return true;
}

}  // namespace callisto::app
