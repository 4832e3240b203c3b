// Paths, headers and forms that are wrong: each gets the status, Type and SubStatus of API rule 5.1 and words that
// help.
#include "bad_input.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

const std::string root = "/service.api/api/";

Answer send(std::string_view target, const ServerProcess::Headers& headers = {}) {
  static const std::string bearer = "Authorization: Bearer " + sample_server().token("analyst");
  ServerProcess::Headers all{bearer};
  all.insert(all.end(), headers.begin(), headers.end());
  return sample_server().send("GET", root + std::string(target), all);
}

struct Wrong {
  std::string target;
  int status;
  std::string message;  // a part of it
};

}  // namespace

TEST_CASE("a path that leads nowhere is 404, one that is no path 400, and the message says which part") {
  const std::vector<Wrong> paths{
      {"v2/call", 404, "There is no version 'v2'; this server has v1, v1.0."},
      {"v1/calls", 404, "did you mean 'call'?"},
      {"v1/call;a=b", 404, "'call;a=b'"},
      {"v1/call/abc", 404, "'abc' is no key of call: a whole number"},
      {"v1/call/1.0", 404, "whole number"},
      {"v1/call/+1", 404, "whole number"},
      {"v1/call/%201", 404, "whole number"},
      {"v1/call/9223372036854775808", 404, "whole number"},
      {"v1/call/1%2fattachment", 404, "'1/attachment' is no key"},
      {"v1/call/../call", 404, "'..' is no key"},
      {"v1/../v1/call", 404, "There is no entity '..'"},
      {"v1/call/%2e%2e", 404, "'..' is no key"},
      {"v1/call/2/attachmnt", 404, "did you mean 'attachment'?"},
      {"v1/call/2/attachment/x", 404, "'x' is no key of attachment"},
      {"v1/call/2/attachment/1/2", 404, "nothing at this path"},
      {"v1/call-history/1", 404, "composite key"},
      {"v1/$metadata/x", 404, "There is no entity '$metadata'"},
      {"v1/call/%zz", 400, "'%zz'"},
      {"v1/call/%", 400, "'%25'"},
      {"v1/call/%ff", 400, "UTF-8"},
      {"v1/call/%00", 400, "NUL"},
      {"v1/call/%0d%0aX:%20y", 400, "control character"},
      {"v1/call/%5c", 400, "backslash"},
  };
  for (const Wrong& each : paths) {
    const Answer answer = send(each.target);
    INFO(each.target << " -> " << answer.status << " " << answer.body);
    CHECK(answer.status == each.status);
    CHECK(member(check_refusal(answer), "Message").text().find(each.message) != std::string::npos);
  }
}

TEST_CASE("a query that cannot be read or says something twice is 400") {
  const std::vector<Wrong> queries{
      {"v1/call?$filter=%", 400, "'%25'"},
      {"v1/call?$filter=%ff", 400, "UTF-8"},
      {"v1/call?$filter=%00", 400, "NUL"},
      {"v1/call?a%00b=1", 400, "NUL"},
      {"v1/call?a%0ab=1", 400, "control character"},
      {"v1/call?$top=1&$top=2", 400, "$top is given twice"},
      {"v1/call?$top=1&%24TOP=2", 400, "$top is given twice"},
      {"v1/call?$top=1;$skip=1", 400, "found '1;$skip=1'"},
      {"v1/call?$top", 400, "$top: found nothing"},
      {"v1/call?a=b&amp;$filter=Ref==1", 400, "There is no option 'amp;$filter'; did you mean '$filter'?"},
      {"v1/call?%20$filter=Ref==1", 400, "did you mean '$filter'?"},
      {"v1/call??$filter=Ref==1", 400, "did you mean '$filter'?"},
      {"v1/call/2?$explain", 400, "$explain is for searches"},
      {"v1/call?$metadata=x", 400, "$metadata: found 'x'"},
      {"v1/call/$metadata?$fliter=1", 400, "did you mean '$filter'?"},
      {"v1?$fliter=1", 400, "did you mean '$filter'?"},
      {"v1/call/2?$top=1", 400, "a single record knows only $select"},
      {"v1/call/2?$leftJoin=H:CallHistory(TicketId==Ref)", 400, "$leftJoin is for searches"},
  };
  for (const Wrong& each : queries) {
    const Answer answer = send(each.target);
    INFO(each.target << " -> " << answer.status << " " << answer.body.substr(0, 500));
    CHECK(answer.status == each.status);
    CHECK(member(check_refusal(answer), "Message").text().find(each.message) != std::string::npos);
  }
}

TEST_CASE("a view is asked for in any case and any encoding, never mistaken for a search of everything") {
  const std::string expected = send("v1/call/$metadata").body;
  for (const char* flag : {"$metadata", "$METADATA", "$mEtadata", "$metad%61ta", "%24%6detadata", "a=b&$%6Detadata"}) {
    INFO(flag);
    CHECK(send("v1/call?" + std::string(flag)).body == expected);
  }
  const std::string options = send("v1/call/$options").body;
  for (const char* flag : {"$oPtions", "%24opt%69ons", "$%6fptions", "$o%70tions", "$orderby=Ref&$options"}) {
    INFO(flag);
    CHECK(send("v1/call?" + std::string(flag)).body == options);
  }
  CHECK(send("v1/call?$orderby=Ref&$top=1").body.find("\"results\"") != std::string::npos);
}

TEST_CASE("an Authorization header that is no live bearer token is 401 with WWW-Authenticate") {
  const std::string token = sample_server().token("analyst");
  const std::vector<std::string> values{"",
                                        "Bearer",
                                        "Bearer ",
                                        "Bearer x",
                                        "Bearer null",
                                        "Bearer " + token + "x",
                                        "Bearer " + token.substr(1),
                                        "Bearer " + token + " " + token,
                                        "Bearer \"" + token + "\"",
                                        "Bearer " + token + ",",
                                        "Token " + token,
                                        token,
                                        "Bearer=" + token,
                                        "Basic YTpi",
                                        "Basic %%%",
                                        "Digest username=\"x\"",
                                        "Bearer ' OR 1=1--",
                                        "Bearer \xff\xfe",
                                        "Bearer " + std::string(6000, 'a')};
  for (const std::string& value : values) {
    const std::string header = value.empty() ? "Authorization;" : "Authorization: " + value;
    const Answer answer = sample_server().send("GET", root + "v1/call?$top=1", {header});
    INFO(header << " -> " << answer.status << " " << answer.body);
    CHECK(answer.status == 401);
    CHECK(answer.headers.at("www-authenticate").starts_with("Bearer resource_metadata="));
    check_refusal(answer);
    CHECK(answer.body.find(token) == std::string::npos);
  }
  const Answer any_case =
      sample_server().send("GET", root + "v1/call?$top=1", {"authorization: bEaReR  " + token + " "});
  CHECK(any_case.status == 200);
}

TEST_CASE("odd values of other headers change nothing") {
  const std::string expected = send("v1/call/2").body;
  std::vector<std::string> values{"*",        "\"",        "x",           ",,,", "W/\"x\"", "\"a\", \"b\"",
                                  "\xff\xfe", "bytes=0-1", "; drop table"};
  values.push_back(std::string(1000, '"'));
  for (const std::string& text : injection_strings())
    if (text.size() < 200 && text.find_first_of(std::string("\0\r\n", 3)) == text.npos && text[0] != ' ')
      values.push_back(text);
  for (const std::string& value : values) {
    bool sendable = !value.empty();
    for (const char c : value) sendable = sendable && static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
    if (!sendable) continue;
    const Answer answer =
        send("v1/call/2", {"Accept: " + value, "Accept-Language: " + value, "Range: " + value, "User-Agent: " + value,
                           "If-Modified-Since: " + value, "Cookie: " + value, "X-Forwarded-For: " + value});
    INFO(value << " -> " << answer.status << " " << answer.body.substr(0, 300));
    CHECK(answer.status == 200);
    CHECK(answer.body == expected);
    const bool any = value == "*";
    CHECK(send("v1/call/2", {"If-None-Match: " + value}).status == (any ? 304 : 200));
  }
}

TEST_CASE("urls and headers that are too long have the statuses of HTTP") {
  CHECK(check_refusal(send("v1/call?$filter=" + std::string(40'000, 'a'))).find("Message") != nullptr);
  CHECK(send("v1/call?$filter=" + std::string(40'000, 'a')).status == 414);
  CHECK(send("v1/" + std::string(100'000, 'a')).status == 414);
  CHECK(send("v1/call", {"X-Long: " + std::string(20'000, 'a')}).status == 431);
  CHECK(send("v1/call?$top=1").status == 200);
}
