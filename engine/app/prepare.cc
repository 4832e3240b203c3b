#include "engine/app/prepare.h"

#include "engine/app/load.h"
#include "engine/app/webhooks.h"
#include "engine/base/text.h"

#include <charconv>
#include <utility>

namespace callisto::app {

namespace {

Result<std::shared_ptr<http::Tls>> make_tls(const Settings& settings) {
  if (!settings.tls_certificate.empty()) return http::Tls::create({settings.tls_certificate, settings.tls_key});
  if (settings.tls_key.empty()) return std::shared_ptr<http::Tls>();
  return bad_format("tls.key is set, but tls.certificate is not: name the certificate's PEM file, or leave both out.");
}

Result<AddressList> metrics_readers(const Settings& settings) {
  std::vector<std::string> addresses = settings.metrics_allow;
  addresses.insert(addresses.end(), {"127.0.0.0/8", "::1"});
  return parse_addresses("metrics.allow", addresses);
}

Result<std::optional<AddressList>> workbench_readers(const Settings& settings) {
  if (settings.workbench_allow.empty()) return std::optional<AddressList>();
  std::vector<std::string> addresses = settings.workbench_allow;
  addresses.insert(addresses.end(), {"127.0.0.0/8", "::1"});
  CALLISTO_TRY(auto readers, parse_addresses("workbench.allow", addresses));
  return std::optional(std::move(readers));
}

template <typename Part>
void take(Part& part, Result<Part> made, std::vector<std::string>& problems) {
  if (made) part = *std::move(made);
  else problems.push_back(words_for_operator(made.error()));
}

}  // namespace

// host:port, [v6]:port or :port.
Result<Address> parse_address(const std::string& listen) {
  const std::size_t colon = listen.rfind(':');
  const Error wrong = bad_format(
      "setting listen: " + text::quoted(listen) +
      " does not fit; write HOST:PORT, such as 127.0.0.1:8080, or 0.0.0.0:8080 for all addresses of this machine");
  if (colon == std::string::npos || listen.starts_with('*') || listen.starts_with("unix:")) return wrong;
  Address address{listen.substr(0, colon), 0};
  if (address.host.size() > 2 && address.host.front() == '[')
    address.host = address.host.substr(1, address.host.size() - 2);
  if (address.host.empty()) address.host = "127.0.0.1";
  const char* end = listen.data() + listen.size();
  const auto [stop, problem] = std::from_chars(listen.data() + colon + 1, end, address.port);
  if (problem != std::errc() || stop != end || address.port < 0 || address.port > 65535) return wrong;
  return address;
}

Prepared prepare(const Settings& settings, std::vector<std::string>& problems) {
  Prepared prepared;
  take(prepared.address, parse_address(settings.listen), problems);
  take(prepared.tls, make_tls(settings), problems);
  if (const auto url = storage::Database::check_url(settings.database_url()); !url)
    problems.push_back(words_for_operator(url.error()));
  take(prepared.proxies, parse_addresses("http.trusted_proxies", settings.http_trusted_proxies), problems);
  take(prepared.metrics_readers, metrics_readers(settings), problems);
  take(prepared.workbench_readers, workbench_readers(settings), problems);
  take(prepared.providers.proxy, proxy_options(settings), problems);
  take(prepared.providers.identity_provider, identity_provider_options(settings), problems);
  take(prepared.schedule, webhooks::parse_schedule(settings.webhook_schedule, settings.webhook_time_scale), problems);
  take(prepared.transport, transport_options(settings, prepared.address.is_on_loopback()), problems);
  return prepared;
}

}  // namespace callisto::app
