// The identity header of a trusted reverse proxy (API rule 6.5): how Windows authentication and SAML front ends name a
// person. The header is believed only from a proxy's own address and together with the secret that the proxy and this
// server share; otherwise it is ignored, and `distrusted` is called.
//
// Names: the header holds a login name, or DOMAIN\name, or name@REALM. A domain or realm in `realms` is cut off; any
// other remains part of the name, so that EVIL\admin is never admin. Immutable; any thread.
#pragma once

#include "engine/auth/service.h"
#include "engine/base/address_list.h"
#include "engine/sign_in/provider.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::sign_in {

struct ProxyHeaderOptions {
  AddressList proxies;
  std::string header = "X-Remote-User";
  std::string secret;               // what X-Callisto-Proxy-Secret must equal
  std::vector<std::string> realms;  // cut off login names; match ignoring case
};

// `reason` is a literal of ours; no header value is ever passed on.
using Distrusted = std::function<void(std::string_view reason, std::string_view remote_address)>;

// Refuses options that would trust too much or nobody. Pure.
Result<void> check(const ProxyHeaderOptions& options);

class ProxyHeader final : public Provider {
 public:
  // Options that pass check(). References outlive this.
  static Result<std::unique_ptr<ProxyHeader>> create(ProxyHeaderOptions options, auth::Service& auth,
                                                     Distrusted distrusted);
  Result<Verdict> ask(const Attempt& attempt) override;

 private:
  ProxyHeader(ProxyHeaderOptions options, auth::Service& auth, Distrusted distrusted);
  std::string_view distrust(const http::Request& request) const;

  const ProxyHeaderOptions options_;
  auth::Service& auth_;
  const Distrusted distrusted_;
};

// The login name that a header's value means; empty where it means none.
std::string login_name_of(std::string_view value, const std::vector<std::string>& realms);

}  // namespace callisto::sign_in
