#include "engine/sign_in/proxy_header.h"

#include "engine/base/hmac.h"
#include "engine/base/text.h"

#include <algorithm>

namespace callisto::sign_in {

namespace {

constexpr std::string_view secret_header = "X-Callisto-Proxy-Secret";
constexpr std::size_t shortest_secret = 16;
constexpr std::size_t longest_name = 256;

bool is_visible(char c) { return c > 0x20 && c < 0x7f; }

bool is_header_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  });
}

bool is_one_of(std::string_view realm, const std::vector<std::string>& realms) {
  return std::any_of(realms.begin(), realms.end(),
                     [&](const std::string& each) { return text::equals_ignoring_ascii_case(each, realm); });
}

}  // namespace

std::string login_name_of(std::string_view value, const std::vector<std::string>& realms) {
  // A comma parts the values of a header that was sent twice and joined on the way (RFC 9110 5.3).
  if (value.size() > longest_name || !text::is_utf8(value) || value.find(',') != value.npos) return {};
  if (value == "(null)") return {};  // what Apache writes for a variable that is not set
  const std::size_t separator = value.find_first_of("\\@");
  const bool qualified = separator != value.npos && value.find_first_of("\\@", separator + 1) == value.npos;
  if (!qualified) return std::string(value);
  const std::string_view left = value.substr(0, separator);
  const std::string_view right = value.substr(separator + 1);
  const bool domain_first = value[separator] == '\\';
  if (!is_one_of(domain_first ? left : right, realms)) return std::string(value);
  return std::string(domain_first ? right : left);
}

ProxyHeader::ProxyHeader(ProxyHeaderOptions options, auth::Service& auth, Distrusted distrusted)
    : options_(std::move(options)), auth_(auth), distrusted_(std::move(distrusted)) {}

Result<void> check(const ProxyHeaderOptions& options) {
  if (options.proxies.empty()) return bad_format("sso.secret is set, but sso.trusted_proxies names no proxy");
  if (options.secret.size() < shortest_secret || !std::all_of(options.secret.begin(), options.secret.end(), is_visible))
    return bad_format(
        "sso.trusted_proxies needs a sso.secret of at least 16 visible ASCII characters, which the proxy sends as "
        "X-Callisto-Proxy-Secret; make one with: openssl rand -hex 32");
  if (!is_header_name(options.header) || text::equals_ignoring_ascii_case(options.header, secret_header))
    return bad_format("sso.header " + text::quoted(options.header) + " cannot name a person; write X-Remote-User");
  return {};
}

Result<std::unique_ptr<ProxyHeader>> ProxyHeader::create(ProxyHeaderOptions options, auth::Service& auth,
                                                         Distrusted distrusted) {
  CALLISTO_CHECK(check(options));
  return std::unique_ptr<ProxyHeader>(new ProxyHeader(std::move(options), auth, std::move(distrusted)));
}

// Why the header is not believed; empty where it is.
std::string_view ProxyHeader::distrust(const http::Request& request) const {
  if (!options_.proxies.contains(request.peer_address())) return "the peer is no trusted proxy";
  // A proxy that adds its header behind the one that its own client sent would hand over whoever that client names.
  if (request.header_count(options_.header) != 1) return "the identity header occurs twice";
  if (request.header_count(secret_header) != 1) return "the proxy's secret is missing or occurs twice";
  if (!equal_in_constant_time(request.header(secret_header), options_.secret)) return "the proxy's secret is wrong";
  return {};
}

Result<Verdict> ProxyHeader::ask(const Attempt& attempt) {
  const http::Request& request = attempt.request;
  if (request.header_count(options_.header) == 0) return Verdict(NotMine{});
  if (const std::string_view reason = distrust(request); !reason.empty()) {
    distrusted_(reason, request.peer_address());
    return Verdict(NotMine{});
  }
  const std::string name = login_name_of(request.header(options_.header), options_.realms);
  if (name.empty() || attempt.fresh) return Verdict(NotMine{});
  CALLISTO_TRY(const auto person, auth_.find_person_by_login(name));
  if (person) return Verdict(SignedIn{*person});
  return Verdict(Refused{"access_denied", "Nobody with the name that the proxy vouches for may sign in here.", "proxy",
                         name, "nobody active has the name that the proxy vouches for"});
}

}  // namespace callisto::sign_in
