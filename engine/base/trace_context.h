// The distributed trace that a request is part of: https://www.w3.org/TR/trace-context-1/ (a W3C Recommendation). This
// server forwards a trace, it adds no span of its own: what it sends on has the caller's parent. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace callisto {

struct TraceContext {
  std::string parent;  // traceparent, of version 00: 55 characters; empty: no trace
  std::string state;   // tracestate; empty: none

  std::string_view trace_id() const {
    return parent.empty() ? std::string_view() : std::string_view(parent).substr(3, 32);
  }
  bool operator==(const TraceContext&) const = default;
};

// Of the headers as they came, each time they stood there. What the Recommendation calls invalid is none: a traceparent
// takes its tracestate with it.
TraceContext read_trace_context(const std::vector<std::string_view>& traceparents,
                                const std::vector<std::string_view>& tracestates);

}  // namespace callisto
