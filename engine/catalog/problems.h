// Problems of one run, collected so that all of them can be reported at once. One thread.
#pragma once

#include "engine/catalog/builder.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::catalog {

class Problems {
 public:
  void add(Origin origin, std::string message, std::string suggestion = {});
  // "unknown property 'Nmae' in summary", with the nearest of `candidates`.
  void unknown(Origin origin, std::string_view what, std::string_view word, std::string_view where,
               const std::vector<std::string_view>& candidates);
  bool empty() const { return found_.empty(); }
  std::size_t count() const { return found_.size(); }
  std::vector<Problem> take();  // by file and line; what was said twice of one place comes once

 private:
  std::vector<Problem> found_;
};

std::string did_you_mean(std::string_view word,
                         const std::vector<std::string_view>& candidates);  // empty: nothing near

// The place of an option or a word of a list, as Lines has it, else of the definition.
Origin place(const Origin& origin, const Lines& lines, const std::string& word);
// The same of an action: of a filter that several files make together, the last of them.
Origin place(const Action& action, const std::string& option);

}  // namespace callisto::catalog
