#include "engine/http/listen_address.h"

#include "engine/base/text.h"
#include "engine/http/own_hosts.h"

#include <algorithm>
#include <charconv>

namespace callisto::http {

namespace {

constexpr std::string_view unix_scheme = "unix:";
constexpr int most_port = 65535;
constexpr unsigned most_mode = 0777;

Error wrong(std::string_view text) {
  return bad_format(text::quoted(text) +
                    " does not fit; write HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080, [::]:8080 for all addresses "
                    "of this machine (0.0.0.0:8080 for those of IPv4), or unix:PATH, such as "
                    "unix:/run/callisto/callisto.sock");
}

template <typename Number>
bool is_number(std::string_view text, Number& number, int base) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return problem == std::errc() && end == text.data() + text.size();
}

Result<ListenAddress> parse_path(std::string_view text) {
  const std::string_view path = text.substr(unix_scheme.size());
  if (path.empty() || path.ends_with('/') || path.find('\0') != path.npos)
    return bad_format(text::quoted(text) + " names no file; write unix:PATH");
  if (path.starts_with('@'))
    return bad_format(text::quoted(text) +
                      " is an abstract socket, which everybody on this machine may use; write a "
                      "path, to which mode and owner of the socket apply");
  return ListenAddress{.host = "", .port = 0, .path = std::string(path)};
}

}  // namespace

bool ListenAddress::is_on_loopback() const { return is_unix() || is_loopback(host); }

Result<ListenAddress> parse_listen_address(std::string_view text) {
  if (text.starts_with(unix_scheme)) return parse_path(text);
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos || text.starts_with('*') || text.find('/') != text.npos) return wrong(text);
  std::string_view host = text.substr(0, colon);
  const bool in_brackets = host.size() > 2 && host.starts_with('[') && host.ends_with(']');
  if (in_brackets) host = host.substr(1, host.size() - 2);
  // Without brackets it cannot be said where an address of IPv6 ends.
  if (!in_brackets && host.find_first_of(":[]") != host.npos) return wrong(text);
  if (in_brackets && host.find(':') == host.npos) return wrong(text);
  ListenAddress address{.host = std::string(host.empty() ? "127.0.0.1" : host)};
  if (!is_number(text.substr(colon + 1), address.port, 10) || address.port < 0 || address.port > most_port)
    return wrong(text);
  return address;
}

std::string to_string(const ListenAddress& address) {
  if (address.is_unix()) return std::string(unix_scheme) + address.path;
  const bool is_v6 = address.host.find(':') != address.host.npos;
  return (is_v6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

// RFC 6874 section 2: the '%' before a zone is written "%25" in a url.
std::string authority_of(const ListenAddress& address) {
  if (address.is_unix()) return "localhost";
  std::string text = to_string(address);
  if (const std::size_t zone = text.find('%'); zone != text.npos) text.insert(zone + 1, "25");
  return text;
}

std::string url_of(const ListenAddress& address, bool tls) {
  if (address.is_unix()) return to_string(address);
  return (tls ? "https://" : "http://") + authority_of(address);
}

bool are_on_loopback(const std::vector<ListenAddress>& addresses) {
  return std::all_of(addresses.begin(), addresses.end(),
                     [](const ListenAddress& address) { return address.is_on_loopback(); });
}

Result<SocketRights> parse_socket_rights(std::string_view mode, std::string_view owner) {
  SocketRights rights;
  if (!is_number(mode, rights.mode, 8) || rights.mode > most_mode)
    return bad_format(text::quoted(mode) + " is no mode of a socket; write three octal digits such as 660");
  const std::size_t colon = owner.find(':');
  rights.user = owner.substr(0, colon);
  if (colon != owner.npos) rights.group = owner.substr(colon + 1);
  if (rights.group.find(':') != rights.group.npos || (colon != owner.npos && rights.group.empty()))
    return bad_format(text::quoted(owner) + " is no owner of a socket; write USER, USER:GROUP or :GROUP");
  return rights;
}

}  // namespace callisto::http
