// Owners of libcurl's handles, and the parts of a url as libcurl reads it, so that no url means one host here and
// another one there. One thread per handle.
#pragma once

#include "engine/base/freed.h"

#include <curl/curl.h>

#include <memory>
#include <optional>
#include <string>

namespace callisto::webhooks {

using EasyHandle = std::unique_ptr<CURL, Freed<curl_easy_cleanup>>;
using MultiHandle = std::unique_ptr<CURLM, Freed<curl_multi_cleanup>>;
using HeaderList = std::unique_ptr<curl_slist, Freed<curl_slist_free_all>>;
using UrlHandle = std::unique_ptr<CURLU, Freed<curl_url_cleanup>>;

inline std::optional<std::string> part_of(CURLU* url, CURLUPart part, unsigned flags = 0) {
  char* found = nullptr;
  if (curl_url_get(url, part, &found, flags) != CURLUE_OK) return std::nullopt;
  const std::unique_ptr<char, Freed<curl_free>> owner(found);
  return std::string(found);
}

}  // namespace callisto::webhooks
