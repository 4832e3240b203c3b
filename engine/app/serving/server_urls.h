// ServerUrls: $health, $audit, $source, $changes, $specs, $reload and $sandbox below the api root, for whoever has the
// right Administration (API rules 3.10 to 3.15 and 3.17). They are about the process and its files, so the composition
// root has them, before the Api. Any thread.
#pragma once

#include "engine/api/api.h"
#include "engine/api/request_trace.h"
#include "engine/app/sandbox/sandboxes.h"
#include "engine/app/serving/desk_keeper.h"
#include "engine/http/message.h"

#include <string>
#include <utility>
#include <vector>

namespace callisto::app {

class ServerUrls {
 public:
  using Parameters = std::vector<std::pair<std::string, std::string>>;  // of a query, decoded
  // References outlive it.
  ServerUrls(const Runtime& runtime, const api::Options& options, DeskKeeper& keeper, Sandboxes& sandboxes);
  // False, and nothing done, for every other path.
  bool handle(const http::Request& request, http::Response& response, api::RequestTrace& trace) const;

 private:
  Result<void> answer(const std::string& name, const http::Request& request, http::Response& response,
                      api::RequestTrace& trace) const;
  Result<void> tell(const std::string& name, const std::string& self, const Parameters& parameters,
                    json::Writer& writer) const;
  Result<void> change(const std::string& name, const Parameters& parameters, const auth::Session& session,
                      const http::Request& request) const;
  Result<void> reload(const Parameters& parameters, const auth::Session& session, const http::Request& request) const;
  Result<void> change_sandbox(const Parameters& parameters, std::string_view method) const;
  Error denied(const std::string& name, const auth::Session& session, const http::Request& request) const;

  const Runtime& runtime_;
  const api::Options& options_;
  DeskKeeper& keeper_;
  Sandboxes& sandboxes_;
  const std::vector<std::string> root_;
};

}  // namespace callisto::app
