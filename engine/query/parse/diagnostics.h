// Source: the text of one option and the makers of every error that points into it. Messages say what was found, what
// was expected and the column; they never contain SQL. Does not own the text. Any thread.
#pragma once

#include "engine/base/error.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::query {

struct Given;

class Source {
 public:
  Source(std::string_view option, std::string_view text) : option_(option), text_(text) {}

  // Its '?' stand for these, in order; null: it may have none.
  Source with(const std::vector<Given>* given) const {
    Source result = *this;
    result.given_ = given;
    return result;
  }
  const std::vector<Given>* given() const { return given_; }

  std::string_view option() const { return option_; }
  std::string_view text() const { return text_; }
  std::size_t column(std::size_t byte) const;

  // "$filter, column 12: found ')', expected a property, a literal or an augmenter". An empty `found` is the end.
  Error unexpected(std::size_t byte, std::string_view found, std::vector<std::string> expected,
                   std::string suggestion = {}) const;

  // "$filter, column 5: 'Rff' is not a property of call; did you mean 'Ref'?"; `problem` is the middle part.
  Error refused(std::size_t byte, std::string_view found, std::string_view problem, std::string suggestion = {},
                std::vector<std::string> expected = {}) const;

 private:
  std::string_view option_, text_;
  const std::vector<Given>* given_ = nullptr;
};

// What an error shows of a client's own text: its first 60 characters.
std::string excerpt(std::string_view found);

// "a", "a or b", "a, b or c"; the same with "and".
std::string alternatives(const std::vector<std::string>& items);
std::string listed(const std::vector<std::string>& items);

// A word of another query language (eq, and, not ...) -> the operator meant, else empty.
std::string_view operator_for_word(std::string_view word);

// What to write for a word that no single operator replaces (between), else empty.
std::string_view advice_for_word(std::string_view word);

// An option of another service ($sort, $limit ...) -> the option meant, else empty.
std::string_view option_for_word(std::string_view option);

}  // namespace callisto::query
