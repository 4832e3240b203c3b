// Front: every request passes it before anything serves it. It reads what proxies say, takes off the path of base_url,
// refuses other hosts' names, and answers preflights of other origins. Any thread.
#pragma once

#include "engine/api/cross_origin.h"
#include "engine/api/request_trace.h"
#include "engine/app/opening/prepare.h"
#include "engine/app/opening/settings.h"
#include "engine/http/own_hosts.h"

#include <optional>

namespace callisto::app {

class Front {
 public:
  Front(const Settings& settings, const Prepared& prepared);  // both outlive it

  void hear(http::Request& request) const;
  // False, and nothing done, for what is to be served.
  bool answer(const http::Request& request, http::Response& response, api::RequestTrace& trace) const;
  // Of every answer, those of others too.
  void complete(const http::Request& request, http::Response& response) const;

 private:
  bool is_misdirected(const http::Request& request) const;

  const Settings& settings_;
  const Prepared& prepared_;
  const api::CrossOrigin cross_origin_;
  const std::optional<http::OwnHosts> hosts_;  // nothing: every name is right
};

}  // namespace callisto::app
