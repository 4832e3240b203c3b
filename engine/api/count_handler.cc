// GET {list}/$count: how many rows a search would find, as a JSON number. What $count=true asks stands in an option,
// which no description of an API can tell from the search itself.
#include "engine/api/api.h"

namespace callisto::api {

Result<void> handle_count(const Call& call) {
  const std::string_view asked = call.request.raw_query;
  const std::string query = std::string(asked) + (asked.empty() ? "" : "&") + "$count=true";
  call.request.raw_query = query;
  auto answered = handle_search(call);
  call.request.raw_query = asked;
  if (answered) call.response.content_type = "application/json; charset=utf-8";
  return answered;
}

}  // namespace callisto::api
