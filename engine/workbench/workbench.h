// Workbench: /workbench, the pages that people open in a browser, and "/" which leads there. The pages are files that
// hold no data: they are a client of the API, drawn in the browser from metadata (engine/workbench/README.md). What is
// served beside them is signing in. Any thread.
#pragma once

#include "engine/auth/service.h"
#include "engine/base/address_list.h"
#include "engine/http/message.h"
#include "engine/workbench/pages.h"
#include "engine/workbench/signing_in.h"

#include <optional>

namespace callisto::workbench {

class Workbench {
 public:
  // `readers`: who may open it; nothing: everybody. References outlive it.
  Workbench(Options options, std::optional<AddressList> readers, auth::Service& auth, Store store);
  // False, and nothing done, for every path that is not its own.
  bool handle(http::Request& request, http::Response& response) const;

 private:
  bool is_welcome(const http::Request& request) const;
  void serve(http::Request& request, http::Response& response) const;

  const Options options_;
  const std::optional<AddressList> readers_;
  const Pages pages_;
  const SigningIn signing_in_;
};

}  // namespace callisto::workbench
