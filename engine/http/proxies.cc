#include "engine/http/proxies.h"

#include "engine/base/text.h"

namespace callisto::http {

namespace {

// Some proxies tell the port too: 192.0.2.7:4711, [2001:db8::7]:4711, [2001:db8::7]. Empty: no address.
std::string_view address_in(std::string_view entry) {
  entry = text::trim(entry);
  if (entry.starts_with('[')) entry = entry.substr(1, entry.find(']') - 1);
  else if (const std::size_t colon = entry.find(':'); colon != entry.npos && entry.find(':', colon + 1) == entry.npos)
    entry = entry.substr(0, colon);
  return AddressList::is_address(entry) ? entry : std::string_view();
}

// Each proxy adds whom it heard, behind what it got: at the end of the line, or in a line of its own. So all that is
// left of the first address that nobody trusts is a claim of that client. A proxy that names nobody speaks for somebody
// all the same: he is not the proxy.
std::string_view client_of(const Request& request, const AddressList& trusted) {
  std::string_view client = request.remote_address;
  const auto lines = request.all_headers("X-Forwarded-For");
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    const auto entries = text::split(*line, ',');
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
      if (!trusted.contains(client)) return client;
      const std::string_view address = address_in(*entry);
      if (address.empty()) return nobody;
      client = address;
    }
  }
  return client;
}

bool is_forwarded(const Request& request) {
  return request.header_count("X-Forwarded-For") > 0 || request.header_count("Forwarded") > 0 ||
         request.header_count("Via") > 0;
}

}  // namespace

bool is_nobody(const Request& request) { return request.remote_address == nobody; }

void hear_proxies(Request& request, const AddressList& trusted) {
  const std::string_view peer = request.remote_address;
  const bool is_trusted = !trusted.empty() && trusted.contains(peer);
  if (!is_trusted && !is_forwarded(request)) return;
  request.remote_address = is_trusted ? client_of(request, trusted) : nobody;
  request.proxy_address = peer;
  if (!is_trusted) return;
  // Of several it cannot be said whose word they are.
  if (request.header_count("X-Forwarded-Proto") != 1) return;
  const std::string_view scheme = request.header("X-Forwarded-Proto");
  if (text::equals_ignoring_ascii_case(scheme, "https")) request.secure = true;
  else if (text::equals_ignoring_ascii_case(scheme, "http")) request.secure = false;
}

}  // namespace callisto::http
