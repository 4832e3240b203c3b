// One request of a browser and the ways to answer it: a page, or a redirect. Every answer carries the headers that keep
// it out of caches, frames and Referer. Lives during the handler's call; one thread.
#pragma once

#include "engine/http/message.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::sign_in {

struct Exchange {
  http::Request& request;
  http::Response& response;
  std::string issuer;       // this server's url, as the browser knows it
  bool https = false;       // the browser sees https, whatever stands between
  std::string browser_key;  // see cookie.h; a new one where the browser sent none
  bool new_browser = false;
};

// Sends the cookie, where what is answered goes on later and the browser has none yet.
void keep_browser(Exchange& exchange);

// `form_action`: where the page's form may lead, as Content-Security-Policy spells it: 'self' https://app.example.
void answer_page(http::Response& response, int status, std::string html, std::string_view form_action = "'none'");

// 303 See Other: RFC 9700 4.12 rules out 307, with which the browser would send the password on.
void answer_redirect(Exchange& exchange, std::string url);

// To the client, with `iss` (RFC 9207 2) behind the answer.
using Answer = std::vector<std::pair<std::string_view, std::string_view>>;
void answer_client(Exchange& exchange, const std::string& redirect_uri, Answer answer);

}  // namespace callisto::sign_in
