#include "engine/api/answers/page_room.h"

#include <algorithm>
#include <limits>
#include <string>

namespace callisto::api {

namespace {

Error too_large(std::size_t limit, std::size_t fitting) {
  const std::string size =
      limit % (1024 * 1024) == 0 ? std::to_string(limit / 1024 / 1024) + " MiB" : std::to_string(limit) + " bytes";
  return bad_option("$top", "The answer would be larger than " + size +
                                ". Ask for fewer rows by $top and $skip, or for fewer properties by $select: about " +
                                std::to_string(fitting) + " of these rows fit.");
}

}  // namespace

PageRoom::PageRoom(const Call& call, const query::Plan& plan, const records::Page& page)
    : call_(call), rows_(std::numeric_limits<std::size_t>::max()) {
  if (page.count) rows_ = static_cast<std::size_t>(std::max<std::int64_t>(*page.count - plan.skip, 0));
  if (plan.top) rows_ = std::min(rows_, static_cast<std::size_t>(*plan.top));
  is_known_ = page.count.has_value() && plan.after.empty();
}

Result<void> PageRoom::reserve(std::size_t usual) const {
  CALLISTO_CHECK(take_memory(call_, usual));
  call_.response.body.reserve(usual);
  return {};
}

Result<void> PageRoom::check(std::size_t rows) const {
  constexpr std::size_t sample = 200;
  const std::string& out = call_.response.body;
  const std::size_t limit = call_.options.answer_bytes;
  const std::size_t expected = is_known_ && rows == sample ? out.size() / sample * rows_ : 0;
  if (out.size() > limit || expected > limit)
    return too_large(limit, limit / std::max<std::size_t>(out.size() / rows, 1));
  return take_memory(call_, out.capacity());
}

}  // namespace callisto::api
