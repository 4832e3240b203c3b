// How much room a search's page has: the page is made whole before it is sent, so that an error half-way can still be
// answered as one. The request's thread.
#pragma once

#include "engine/api/api.h"
#include "engine/records/search.h"

#include <cstddef>

namespace callisto::api {

class PageRoom {
 public:
  PageRoom(const Call& call, const query::Plan& plan, const records::Page& page);

  Result<void> reserve(std::size_t usual) const;  // for what the last answer to this query took
  Result<void> check(std::size_t rows) const;     // behind so many rows of the page, one at least

 private:
  const Call& call_;
  std::size_t rows_;       // at most so many come
  bool is_known_ = false;  // as many do
};

}  // namespace callisto::api
