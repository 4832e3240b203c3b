// Operations: the urls for the people who run a server, outside the api root and without a token. /healthz: the process
// answers. /readyz: it can serve. /metrics: figures for Prometheus, only for this machine and the addresses of the
// setting metrics.allow. Any thread.
#pragma once

#include "engine/api/rates.h"
#include "engine/api/traffic.h"
#include "engine/app/serving/reload.h"
#include "engine/app/serving/script_monitor.h"
#include "engine/auth/reader.h"
#include "engine/base/address_list.h"
#include "engine/base/metrics.h"

#include <memory>
#include <string_view>

namespace callisto::app {

// What a client of /metrics takes, by its header Accept: OpenMetrics where it asks for a version of that which is known
// here, and does not like text/plain more.
MetricsFormat metrics_format(std::string_view accept);

class Operations {
 public:
  // References outlive it.
  static Result<std::unique_ptr<Operations>> create(const Runtime& runtime, const api::Traffic& traffic,
                                                    const api::Rates& rates, const ScriptMonitor& scripts,
                                                    Reload& reload, const AddressList& metrics_readers);
  // False, and nothing done, for every other path.
  bool handle(const http::Request& request, http::Response& response, api::RequestTrace& trace);

 private:
  Operations(const Runtime& runtime, const api::Traffic& traffic, const api::Rates& rates, const ScriptMonitor& scripts,
             Reload& reload, const AddressList& metrics_readers, std::unique_ptr<storage::Connection> reader);

  void answer_ready(http::Response& response);
  void answer_metrics(const http::Request& request, http::Response& response);
  void append_server(MetricsText& text);
  void append_sizes(MetricsText& text);
  void append_sign_ins(MetricsText& text);
  void append_rates(MetricsText& text);
  void append_due(MetricsText& text);
  void append_queue(MetricsText& text, const webhooks::QueueStats& queue);
  void append_webhooks(MetricsText& text);
  bool is_database_well();

  const Runtime& runtime_;
  const api::Traffic& traffic_;
  const api::Rates& rates_;
  const ScriptMonitor& scripts_;
  Reload& reload_;
  const AddressList& metrics_readers_;
  auth::Reader reader_;
  const double started_;  // seconds since 1970
};

}  // namespace callisto::app
