// Bytes that are no proper request, sent raw to the real server: each connection ends with at most refusals, every
// answer is well framed, and the server goes on serving.
#include "bad_input.h"
#include "tests/support/http_cases.h"
#include "tests/support/paths.h"
#include "tests/unit/http/raw_client.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

namespace {

using namespace callisto;
using namespace callisto::tests;
using callisto::test::RawClient;

int port() {
  const std::string& url = sample_server().base_url();
  return std::stoi(url.substr(url.rfind(':') + 1));
}

const std::string& token() {
  static const std::string value = sample_server().token("analyst");
  return value;
}

// All that the server says to `bytes` once the client has said its last.
std::string answer_to(std::string_view bytes) {
  RawClient client(port());
  REQUIRE(client.connected());
  client.send(bytes);
  client.finish_sending();
  std::string all = client.read_to_end();
  CHECK_FALSE(client.timed_out());
  return all;
}

struct Reading {
  std::vector<int> statuses;
  std::string rest;  // what is no answer; must be empty
};

// Answers behind one another, each as long as its Content-Length says.
Reading read(std::string_view all) {
  Reading reading;
  constexpr std::string_view start = "HTTP/1.1 ", length_name = "\r\nContent-Length: ";
  while (!all.empty()) {
    const std::size_t end = all.find("\r\n\r\n");
    if (!all.starts_with(start) || end == all.npos) break;
    const std::string head(all.substr(0, end + 2));
    const int status = std::atoi(head.c_str() + start.size());
    const std::size_t length_at = head.find(length_name);
    const std::size_t length =
        length_at == head.npos ? 0 : std::strtoul(head.c_str() + length_at + length_name.size(), nullptr, 10);
    if (all.size() < end + 4 + length) break;
    if (status != 100) reading.statuses.push_back(status);
    all.remove_prefix(end + 4 + length);
  }
  reading.rest = all;
  return reading;
}

void check_answers(const std::string& all, bool must_refuse, bool has_body = true) {
  static const std::set<int> refusals{400, 401, 404, 405, 413, 414, 421, 431, 501, 505};
  const Reading reading = read(all);
  if (has_body) CHECK(reading.rest.empty());
  for (const int status : reading.statuses) CHECK(refusals.count(status) == 1);
  if (must_refuse) CHECK(reading.statuses.size() <= 1);
}

void check_still_serves() { CHECK(get("analyst", "v1/call", {{"$top", "1"}}).status == 200); }

// The same request as one that names a host and is signed in, so that it comes further.
std::string signed_in(std::string_view bytes) {
  const std::size_t end = bytes.find("\r\n");
  if (end == bytes.npos) return std::string(bytes);
  const std::string headers = bytes.find("Host:") == bytes.npos ? "Host: desk\r\n" : "";
  return std::string(bytes.substr(0, end + 2)) + headers + "Authorization: Bearer " + token() + "\r\n" +
         std::string(bytes.substr(end + 2));
}

}  // namespace

TEST_CASE("the collected raw requests meet refusals or nothing, signed in or not") {
  const auto cases = test::read_http_cases(test::source_folder() + "/../shared/data/badinput/http_requests_dev.json");
  if (cases.empty()) {
    WARN("skipped: the collection is not beside this repository");
    return;
  }
  for (const test::HttpCase& each : cases) {
    for (const std::string& bytes : {each.bytes, signed_in(each.bytes)}) {
      const std::string all = answer_to(bytes);
      INFO(each.verdict << ": " << each.name << "\n" << bytes.substr(0, 300) << "\n-> " << all.substr(0, 1000));
      check_answers(all, each.verdict == "reject", !bytes.starts_with("HEAD"));
    }
  }
  check_still_serves();
}

TEST_CASE("urls of the collection as targets lead nowhere or are refused") {
  const auto data = shared_data("badinput/urls_dev.json");
  if (!data) return;
  for (const json::Node& each : member(*data, "cases").items()) {
    const std::string& url = member(each, "input").text();
    if (url.find_first_of("\r\n") != url.npos) continue;
    for (const char* method : {"GET", "POST"}) {
      const std::string all =
          answer_to(std::string(method) + " " + url + " HTTP/1.1\r\nHost: desk\r\nAuthorization: Bearer " + token() +
                    "\r\nConnection: close\r\n\r\n");
      INFO(method << " " << url << "\n-> " << all.substr(0, 1000));
      const Reading reading = read(all);
      CHECK(reading.rest.empty());
      // The server may close without a word on an authority that it cannot read.
      CHECK(reading.statuses.size() <= 1);
      for (const int status : reading.statuses)
        CHECK((status == 400 || status == 404 || status == 405 || status == 421));
    }
  }
  check_still_serves();
}

TEST_CASE("attack strings as raw targets, header names, header values and bodies break no connection") {
  for (const std::string& each : injection_strings()) {
    const bool is_blank = each.substr(0, each.find('?')).find_first_not_of('/') == each.npos;  // the list itself
    if (is_blank || each.find_first_of("\r\n") != each.npos) continue;
    const std::string host = "Host: desk\r\nConnection: close\r\n";
    const std::string bearer = host + "Authorization: Bearer " + token() + "\r\n";
    const std::vector<std::string> requests{
        "GET /service.api/api/v1/call/" + each + " HTTP/1.1\r\n" + bearer + "\r\n",
        "GET /service.api/api/v1/call?$filter=" + each + " HTTP/1.1\r\nHost: " + each + "\r\n" + host + "\r\n",
        each + " /service.api/api/v1/call HTTP/1.1\r\n" + bearer + "\r\n",
        "GET /service.api/api/v1/nothing HTTP/1.1\r\n" + bearer + each + ": x\r\n\r\n",
        "GET /service.api/api/v1/nothing HTTP/" + each + "\r\n" + bearer + "\r\n",
        "GET /service.api/api/v1/call HTTP/1.1\r\n" + host + "Authorization: Bearer " + each + "\r\n\r\n",
        "POST /service.web/oauth/login HTTP/1.1\r\n" + host + "Content-Type: application/x-www-form-urlencoded\r\n" +
            "Content-Length: " + std::to_string(each.size()) + "\r\n\r\n" + each,
        "POST /service.web/oauth/login HTTP/1.1\r\n" + host + "Content-Type: " + each +
            "\r\nContent-Length: 0\r\n\r\n"};
    for (const std::string& request : requests) {
      const std::string all = answer_to(request);
      INFO(request << "\n-> " << all.substr(0, 1000));
      const Reading reading = read(all);
      CHECK(reading.rest.empty());
      REQUIRE(reading.statuses.size() <= 1);
      for (const int status : reading.statuses)
        CHECK((status >= 400 && (status < 500 || status == 501 || status == 505)));
    }
  }
  check_still_serves();
}

TEST_CASE("requests behind one another on a connection are answered in their order, bad ones among them") {
  const std::string headers = " HTTP/1.1\r\nHost: desk\r\nAuthorization: Bearer " + token() + "\r\n\r\n";
  const std::string good = "GET /service.api/api/v1/call/$metadata" + headers;
  const std::string all =
      answer_to(good + "GET /service.api/api/v1/call?$filter=%22" + headers + "GET /service.api/api/v1/nothing" +
                headers + "DELETE /service.api/api/v1/call/2" + headers + good + "GET /service.api/api/v1/call?$top=0" +
                headers + "GET  /service.api/api/v1/call" + headers + good);
  const Reading reading = read(all);
  INFO(reading.rest);
  CHECK(reading.rest.empty());
  // The seventh is malformed framing, which ends the connection.
  CHECK(reading.statuses == std::vector<int>{200, 400, 404, 405, 200, 400, 400});
}

TEST_CASE("a body on a url that takes none is read past, and a half-sent one ends its connection alone") {
  const std::string headers = "Host: desk\r\nAuthorization: Bearer " + token() + "\r\n";
  const std::string next = "GET /service.api/api/v1/call?$top=1 HTTP/1.1\r\n" + headers + "\r\n";
  const Reading passed = read(answer_to("GET /service.api/api/v1/call?$top=1 HTTP/1.1\r\n" + headers +
                                        "Content-Length: 9\r\n\r\n{\"a\": 1}\n" + next));
  CHECK(passed.rest.empty());
  CHECK(passed.statuses == std::vector<int>{200, 200});
  const Reading cut =
      read(answer_to("POST /service.web/oauth/login HTTP/1.1\r\n" + headers +
                     "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 500\r\n\r\na=b"));
  CHECK(cut.rest.empty());
  CHECK(cut.statuses == std::vector<int>{400});
  check_still_serves();
}

TEST_CASE("a file for a record that is not there is refused before it is sent") {
  RawClient client(port());
  REQUIRE(client.connected());
  client.send("POST /service.api/api/v1/call/999999/attachment HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " +
              token() + "\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 30000000\r\n\r\n");
  CHECK(client.read_reply().status == 404);  // not a byte of the file was sent
}
