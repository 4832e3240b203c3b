#include "engine/sign_in/parameters.h"

#include "engine/base/percent.h"
#include "engine/base/text.h"
#include "engine/http/url.h"

#include <algorithm>
#include <array>
#include <set>

namespace callisto::sign_in {

namespace {

struct Known {
  std::string_view name;
  std::size_t longest;  // in bytes
};

constexpr std::array<Known, 10> known_parameters{{{"response_type", 100},
                                                  {"client_id", 200},
                                                  {"redirect_uri", 2000},
                                                  {"scope", 500},
                                                  {"state", 2000},
                                                  {"code_challenge", 200},
                                                  {"code_challenge_method", 50},
                                                  {"prompt", 100},
                                                  {"login_hint", 300},
                                                  {"idp", 100}}};

}  // namespace

std::string Parameters::get(std::string_view name) const {
  const auto found = values.find(std::string(name));
  return found == values.end() ? std::string() : found->second;
}

bool Parameters::has_prompt(std::string_view word) const {
  const std::string prompt = get("prompt");
  const auto words = text::split(prompt, ' ');
  return std::find(words.begin(), words.end(), word) != words.end();
}

Result<Parameters> read_parameters(std::string_view raw_query) {
  CALLISTO_TRY(const auto pairs, http::decode_query(raw_query));
  Parameters read;
  std::set<std::string_view> seen;
  for (const auto& [name, value] : pairs) {
    const auto* known = std::find_if(known_parameters.begin(), known_parameters.end(),
                                     [&, &wanted = name](const Known& each) { return each.name == wanted; });
    // RFC 6749 3.1: "The authorization server MUST ignore unrecognized request parameters."
    if (known == known_parameters.end()) continue;
    // RFC 6749 3.1: "Request and response parameters MUST NOT be included more than once."
    const bool repeated = !seen.insert(known->name).second;
    if (repeated || value.size() > known->longest) {
      read.problem = "The parameter " + name + (repeated ? " stands there twice." : " is too long.");
      // RFC 6749 4.1.2.1: without a client and a redirect uri there is nobody to tell but the person.
      if (name == "client_id" || name == "redirect_uri") return bad_format(read.problem);
      read.values.erase(name);
      continue;
    }
    // RFC 6749 3.1: "Parameters sent without a value MUST be treated as if they were omitted from the request."
    if (!value.empty()) read.values.emplace(name, value);
  }
  return read;
}

std::string to_query(const Parameters& parameters) {
  std::string query;
  for (const auto& [name, value] : parameters.values) append_field(query, name, value);
  return query;
}

}  // namespace callisto::sign_in
