// Scim: /scim/v2 beside the API: Users and Groups as RFC 7644 serves them, for whoever has the right Administration: a
// person's token, or that of a client whose role has it (API rule 10.1). It finds out who asks and hands the request to
// the records of the desk by the mapping of scripts/scim.lua. handle() is called from many threads at once.
#pragma once

#include "engine/auth/service.h"
#include "engine/http/message.h"
#include "engine/records/model.h"
#include "engine/records/slot.h"
#include "engine/records/write.h"
#include "engine/scim/mapping.h"

#include <functional>
#include <memory>
#include <string>

namespace callisto::scim {

// The state of the files that one request works with; kept alive by `keeper`.
struct Desk {
  const records::Model& model;
  records::Slots& slots;
  records::Writer& writer;
  std::shared_ptr<const void> keeper;
};

struct Options {
  std::string path = "/service.api/scim/v2";
  std::string base_url;  // empty: as each request addresses the server
  std::size_t body_bytes = std::size_t{4} * 1024 * 1024;
};

class Scim {
 public:
  // `auth` outlives it.
  Scim(Options options, auth::Service& auth, std::function<Desk()> desk)
      : options_(std::move(options)), auth_(auth), desk_(std::move(desk)) {}

  // False, and nothing done, where the path is another one or the desk maps nothing.
  bool handle(http::Request& request, http::Response& response);

 private:
  Result<void> answer(http::Request& request, http::Response& response, const Desk& desk, std::string_view rest) const;
  Result<auth::Session> identify(const http::Request& request, const Desk& desk) const;

  const Options options_;
  auth::Service& auth_;
  const std::function<Desk()> desk_;
};

}  // namespace callisto::scim
