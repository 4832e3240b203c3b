#include "engine/api/requests/methods.h"

namespace callisto::api {

bool Methods::has(std::string_view method) const {
  if (method == "GET" || method == "HEAD") return get;
  if (method == "POST") return post || also_post;
  if (method == "PUT") return put;
  return method == "DELETE" ? del : method == "OPTIONS";
}

std::vector<std::string_view> Methods::names() const {
  std::vector<std::string_view> names;
  for (const std::string_view each : {"GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE"})
    if (has(each) && (post || each != "POST")) names.push_back(each);
  return names;
}

std::string Methods::text() const {
  std::string text;
  for (const std::string_view each : names()) text.append(text.empty() ? "" : ", ").append(each);
  return text;
}

}  // namespace callisto::api
