// RequestTrace: what became known of a request, for the access log, the metrics and Server-Timing. Api fills it step by
// step. One thread.
#pragma once

#include "engine/base/trace_context.h"
#include "engine/http/message.h"
#include "engine/records/slot.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::api {

struct Route;

struct RequestTrace {
  std::string route = "other";         // a template, never a key: "call/{id}/history"
  std::optional<std::int64_t> person;  // who asks
  std::string_view session_type;       // "Analyst"; a literal. Empty: nobody was signed in
  std::string client;

  bool timed = false;  // the session asked for Server-Timing and may have it
  std::chrono::microseconds database{0}, write{0};
  std::vector<script::Spent> scripts;

  bool probe = false;  // a question that machines ask all the time; see the setting log.probes

  std::string slow;  // what is to be logged of a search that took long

  // Records of a batch that its session may not change so: the audit tells of each.
  struct Denied {
    std::optional<std::int64_t> key;
    std::string reason;
  };
  std::vector<Denied> denied;
};

// The distributed trace that a request is part of.
TraceContext trace_of(const http::Request& request);

std::string route_template(const Route& route);

// "db;dur=1.2, script;desc=\"@Age\";dur=0.3, render;dur=0.4, total;dur=1.9"
std::string server_timing(const RequestTrace& trace, std::chrono::microseconds total);

}  // namespace callisto::api
