// Pages of other origins that use the API from a browser (CORS; the setting http.cors_origins). A browser asks before
// it sends a token (a preflight, which has none), and shows a page the answer if that names the page's origin. Cookies
// are never asked for: the API uses only tokens, and {oauth}/authorize, which has a cookie, is excluded. Any thread.
#pragma once

#include "engine/http/message.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::api {

class CrossOrigin {
 public:
  // What a browser calls an origin in its header: lower case, without the scheme's own port. "*" is itself; nothing for
  // what is no origin, and for "null", which is that of every page that is opened from a file or shut into a sandbox.
  static std::optional<std::string> spelled_as_browsers_do(std::string_view origin);

  // `origins`: spelled so; none: there is nobody to answer.
  CrossOrigin(std::vector<std::string> origins, std::string_view api_root, std::string_view oauth_root);

  // Before anything asks who is there. False, and nothing done, where it is another request.
  bool answer_preflight(const http::Request& request, http::Response& response) const;
  // Of every answer, refusals too.
  void complete(const http::Request& request, http::Response& response) const;

 private:
  bool covers(std::string_view raw_path) const;
  bool is_welcome(const http::Request& request) const;

  const std::vector<std::string> origins_;
  const bool all_;
  const std::vector<std::string> api_root_, oauth_root_;
};

}  // namespace callisto::api
