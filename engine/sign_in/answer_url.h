// Urls to which a browser is sent. auth has compared the redirect uri with the registered ones; the code here is also
// right for odd registered ones. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::sign_in {

// Whether a browser may be sent there: an absolute uri of visible ASCII with a scheme that runs nothing (not
// javascript:, data: ...), http and https with a host and without user information, no fragment.
bool is_redirectable(std::string_view uri);

// The uri with the answer behind its own query. RFC 6749 4.1.2: "adding the following parameters to the query
// component of the redirection URI". Empty values are left out. `uri` must be redirectable.
std::string answer_url(std::string_view uri, const std::vector<std::pair<std::string_view, std::string_view>>& answer);

std::string_view authority_of(std::string_view uri);  // host and port; empty where there is no "//"

// The source expression of a Content-Security-Policy that allows the uri's origin: https://app.example:8443. A scheme
// alone (com.example.app:) where there is no host, or where the policy's grammar cannot spell it ([::1]).
std::string policy_source(std::string_view uri);

}  // namespace callisto::sign_in
