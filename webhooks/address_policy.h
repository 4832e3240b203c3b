// Where deliveries may go (setting webhooks.networks). judge() decides, with the address that is about to be connected
// to; check_url() tells people already when they save a webhook that its url could never be reached. Pure; any thread.
#pragma once

#include <sys/socket.h>

#include <optional>
#include <string>
#include <string_view>

namespace callisto::webhooks {

// Internet: no private ranges. Intranet: these too. Open: this machine (loopback) as well. Link-local and metadata
// addresses, and forms that hide another address, are refused by all.
enum class Networks { Internet, Intranet, Open };

std::optional<Networks> parse_networks(std::string_view name);  // internet, intranet, open

struct AddressPolicy {
  Networks networks = Networks::Intranet;
  bool loopback = false;  // allowed in every mode: the server listens there alone
};

// Why nothing may be sent to `address`, for people, with the setting that would allow it; nothing: it may.
std::optional<std::string> judge(const AddressPolicy& policy, const sockaddr& address);

// What is wrong with a url that is to be saved, likewise, to be read behind the name of its property. Names are not
// looked up, but for localhost.
std::optional<std::string> check_url(const std::string& url, const AddressPolicy& policy);

std::string text_of(const sockaddr& address);  // 192.0.2.7:443, [2001:db8::7]:443; empty for other families

}  // namespace callisto::webhooks
