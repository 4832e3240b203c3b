// AttachmentNameFilter: regular expressions (ECMAScript, characters not bytes) parted by semicolons; a name passes
// where one is found in it, in whatever case. Matching takes time in proportion to name and filter, never more:
// libstdc++'s polynomial matcher runs in one pass, and what would blow that up is refused. std::regex and what it
// throws stay in name_filter.cc. Immutable; any thread.
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
