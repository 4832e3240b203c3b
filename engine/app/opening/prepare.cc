#include "engine/app/opening/prepare.h"

#include "engine/app/opening/load.h"
#include "engine/app/serving/webhooks.h"
#include "engine/base/text.h"
#include "engine/http/passed_sockets.h"

#include <algorithm>
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
  addresses.insert(addresses.end(), {"127.0.0.0/8", "::1", std::string(http::unix_client)});
  return parse_addresses("metrics.allow", addresses);
}

Result<std::optional<AddressList>> workbench_readers(const Settings& settings) {
  if (settings.workbench_allow.empty()) return std::optional<AddressList>();
  std::vector<std::string> addresses = settings.workbench_allow;
  addresses.insert(addresses.end(), {"127.0.0.0/8", "::1", std::string(http::unix_client)});
  CALLISTO_TRY(auto readers, parse_addresses("workbench.allow", addresses));
  return std::optional(std::move(readers));
}

// What a service manager passes stands for the setting.
Result<std::vector<http::ListenAddress>> where_to_listen(const Settings& settings) {
  CALLISTO_TRY(auto passed, http::passed_sockets());
  return passed.empty() ? parse_listen(settings) : passed;
}

Result<http::SocketRights> socket_rights(const Settings& settings) {
  auto rights = http::parse_socket_rights(settings.socket_mode, settings.socket_owner);
  if (rights) return rights;
  return bad_format("settings socket.mode and socket.owner: " + rights.error().message);
}

template <typename Part>
void take(Part& part, Result<Part> made, std::vector<std::string>& problems) {
  if (made) part = *std::move(made);
  else problems.push_back(words_for_operator(made.error()));
}

}  // namespace

Result<std::vector<http::ListenAddress>> parse_listen(const Settings& settings) {
  std::vector<http::ListenAddress> addresses;
  for (const std::string& item : settings.listen) {
    auto address = http::parse_listen_address(item);
    if (!address) return bad_format("setting listen: " + address.error().message);
    const bool gets_own_port = !address->is_unix() && address->port == 0;
    if (!gets_own_port && std::find(addresses.begin(), addresses.end(), *address) != addresses.end())
      return bad_format("setting listen: " + text::quoted(item) + " stands there twice; leave one out");
    addresses.push_back(*std::move(address));
  }
  return addresses;
}

Prepared prepare(const Settings& settings, std::vector<std::string>& problems) {
  Prepared prepared;
  take(prepared.listen, where_to_listen(settings), problems);
  take(prepared.socket_rights, socket_rights(settings), problems);
  take(prepared.tls, make_tls(settings), problems);
  if (const auto url = storage::Database::check_url(settings.database_url()); !url)
    problems.push_back(words_for_operator(url.error()));
  take(prepared.proxies, parse_addresses("http.trusted_proxies", settings.http_trusted_proxies), problems);
  take(prepared.metrics_readers, metrics_readers(settings), problems);
  take(prepared.workbench_readers, workbench_readers(settings), problems);
  take(prepared.providers.proxy, proxy_options(settings), problems);
  take(prepared.providers.identity_provider, identity_provider_options(settings), problems);
  take(prepared.schedule, webhooks::parse_schedule(settings.webhook_schedule, settings.webhook_time_scale), problems);
  take(prepared.transport, transport_options(settings, http::are_on_loopback(prepared.listen)), problems);
  return prepared;
}

}  // namespace callisto::app
