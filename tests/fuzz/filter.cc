// $filter over a small desk: lexer, parser and binder. Whatever the bytes, the answer is a plan or a 400 with a place.
#include "tests/support/test_catalog.h"

#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace callisto;
  static test::Desk desk;
  const std::string text(reinterpret_cast<const char*>(data), size);
  auto options = query::parse_options({{"$filter", text}});
  if (!options) return 0;  // no UTF-8
  for (const char* entity : {"incident", "call-history", "configuration-item", "attachment"}) {
    auto plan = desk.search(entity, *options);
    if (plan) continue;
    const Error& error = plan.error();
    const bool placed = error.status == 400 && error.diagnostic && error.diagnostic->position >= 1 &&
                        error.diagnostic->position <= size + 1;
    if (!placed) std::abort();
  }
  return 0;
}
