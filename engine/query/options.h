// The `$` options of one search, as text with their places: split from the decoded query pairs of a url and checked for
// what needs no catalog (unknown, repeated or malformed options). Pure; any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/base/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::query {

// What a '?' of a filter stands for: a value, or a list of them for `in`. Nothing: not known yet, whatever fits.
struct Given {
  std::vector<Value> values;
  bool is_list = false;
  bool is_known = true;
};

struct Options {
  std::optional<std::string> select, filter, orderby, groupby, aggregate, expand;
  std::optional<std::vector<Given>> given;  // of the filter's '?', in order; nothing: there may be none
  struct JoinText {
    std::string text;
    bool inner = false;
  };
  std::vector<JoinText> joins;            // $leftJoin and $innerJoin, in the order of the url
  std::optional<std::string> after;       // $after, as given
  std::optional<std::int64_t> top, skip;  // $top 1..2147483647, $skip 0..2147483647
  std::optional<std::int64_t> partition;
  bool count = false, inline_count = false;
  bool metadata = false, options = false, explain = false;
  // Of the one who asks, not of the options: whether groups are asked for whatever the options say; whether a next page
  // may be asked for, and the values that `after` stands for.
  bool groups = false;
  bool pages = false;
  std::vector<Value> position;
};

// `pairs`: decoded names and values in url order; a name without '=' has an empty value. Names without '$' are ignored.
Result<Options> parse_options(const std::vector<std::pair<std::string, std::string>>& pairs);

// The rows of the answer are groups.
inline bool asks_groups(const Options& options) { return options.groups || options.groupby || options.aggregate; }

std::size_t placeholders(std::string_view filter);  // how many '?' it has outside of texts

// Refuses every search option but $select (API rule 1.6: a single record).
Result<void> allow_select_only(const Options& options);

// Refuses $expand where no record is read (API rule 2.18).
Result<void> refuse_expand(const Options& options);

}  // namespace callisto::query
