#include "engine/api/request_trace.h"

#include "engine/api/requests/router.h"

#include <algorithm>

namespace callisto::api {

namespace {

using std::chrono::microseconds;

std::string milliseconds(microseconds time) {
  const std::string rest = std::to_string(1000 + time.count() % 1000);
  return std::to_string(time.count() / 1000) + '.' + rest.substr(1);
}

// Names of augmenters, actions and hooks have neither quotes nor backslashes.
void append_metric(std::string& out, std::string_view name, std::string_view description, microseconds time) {
  out += out.empty() ? "" : ", ";
  out += name;
  if (!description.empty()) out += ";desc=\"" + std::string(description) + '"';
  out += ";dur=" + milliseconds(time);
}

}  // namespace

TraceContext trace_of(const http::Request& request) {
  return read_trace_context(request.all_headers("traceparent"), request.all_headers("tracestate"));
}

std::string route_template(const Route& route) {
  std::string text = route.entity ? route.entity->name : "/";
  if (route.key) text += "/{id}";
  if (route.sub) text += '/' + route.sub->name;
  if (route.sub_key) text += "/{id}";
  if (route.content) text += '/' + route.content->name;
  if (route.action) text += (route.key ? "/" : "/$") + route.action->name;
  else if (route.view == Route::View::Metadata) text += "/$metadata";
  else if (route.view == Route::View::Options) text += "/$options";
  else if (route.view == Route::View::Batch) text += "/$batch";
  else if (route.view == Route::View::Count) text += "/$count";
  else if (route.view == Route::View::Groups) text += "/$groups";
  else if (route.view == Route::View::Rules) text += "/$rules";
  return text;
}

// "Server-Timing = #server-timing-metric" (W3C Server Timing 4); durations in milliseconds.
std::string server_timing(const RequestTrace& trace, microseconds total) {
  std::string out;
  microseconds rest = total - trace.database - trace.write;
  append_metric(out, "db", {}, trace.database);
  for (const script::Spent& spent : trace.scripts) {
    append_metric(out, "script", spent.what, spent.time);
    rest -= spent.time;
  }
  if (trace.write.count() > 0) append_metric(out, "write", {}, trace.write);
  append_metric(out, "render", {}, std::max(rest, microseconds(0)));
  append_metric(out, "total", {}, total);
  return out;
}

}  // namespace callisto::api
