// AttachmentNameFilter: regular expressions (ECMAScript, characters not bytes) separated by semicolons; a name passes
// if one of them is found in it, ignoring case. Matching takes time in proportion to name and filter, never more:
// libstdc++'s polynomial matcher runs in one pass, and expressions that would blow it up are refused. std::regex and
// its exceptions stay in name_filter.cc. Immutable; any thread.
#pragma once

#include "engine/base/result.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::webhooks {

class NameFilter {
 public:
  // Errors: bad_format, naming the broken expression and what to do. A text without expressions lets every name pass.
  static Result<NameFilter> parse(std::string_view text);

  // Of a name over 255 characters the first 128 and the last 127 are looked at.
  bool matches(std::string_view name) const;

 private:
  struct Expression;
  std::vector<std::shared_ptr<const Expression>> expressions_;
};

}  // namespace callisto::webhooks
