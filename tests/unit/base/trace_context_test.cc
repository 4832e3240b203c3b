// What the W3C Recommendation says of the headers traceparent and tracestate.
#include "engine/base/trace_context.h"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

namespace {

using namespace callisto;

const std::string trace = "4bf92f3577b34da6a3ce929d0e0e4736", parent = "00f067aa0ba902b7";
const std::string good = "00-" + trace + "-" + parent + "-01";

std::string state_of(const std::vector<std::string>& headers) {
  return read_trace_context({good}, {headers.begin(), headers.end()}).state;
}

std::string members(std::size_t count, std::size_t size) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) {
    std::string member = "k" + std::to_string(i) + "=";
    all += (i == 0 ? "" : ",") + member + std::string(size - member.size(), 'v');
  }
  return all;
}

}  // namespace

TEST_CASE("a traceparent is taken as the Recommendation reads it, and forwarded in version 00") {
  const std::pair<std::string, std::string> taken[] = {
      {good, good},
      {"00-" + trace + "-" + parent + "-00", "00-" + trace + "-" + parent + "-00"},
      {"00-" + trace + "-" + parent + "-ff", good},
      {"00-" + trace + "-" + parent + "-1a", "00-" + trace + "-" + parent + "-00"},
      {"cc-" + trace + "-" + parent + "-01", good},
      {"01-" + trace + "-" + parent + "-01-what-is-to-come", good},
      {"fe-" + trace + "-" + parent + "-01-", good}};
  for (const auto& [sent, forwarded] : taken) {
    INFO(sent);
    CHECK(read_trace_context({sent}, {}) == TraceContext{forwarded, ""});
    CHECK(read_trace_context({sent}, {}).trace_id() == trace);
  }
  const std::vector<std::string> none{"",
                                      "00",
                                      "ff-" + trace + "-" + parent + "-01",
                                      good + "-more",
                                      good + "x",
                                      "01-" + trace + "-" + parent + "-01.what",
                                      "00-" + std::string(32, '0') + "-" + parent + "-01",
                                      "00-" + trace + "-" + std::string(16, '0') + "-01",
                                      "00-" + trace.substr(1) + "G-" + parent + "-01",
                                      "00-4BF92F3577B34DA6A3CE929D0E0E4736-" + parent + "-01",
                                      "00-" + trace + "-00F067AA0BA902B7-01",
                                      "00-" + trace + "-" + parent + "-0x",
                                      "0x-" + trace + "-" + parent + "-01",
                                      "00_" + trace + "-" + parent + "-01",
                                      "00-" + trace + "_" + parent + "-01",
                                      "00-" + trace + "-" + parent + "_01",
                                      good.substr(0, 54),
                                      std::string(55, '-'),
                                      "00-" + parent + "-" + trace + "-01"};
  for (const std::string& sent : none) {
    INFO(sent);
    CHECK(read_trace_context({sent}, {"a=1"}) == TraceContext());
    CHECK(read_trace_context({sent}, {}).trace_id().empty());
  }
  CHECK(read_trace_context({}, {"a=1"}) == TraceContext());
  CHECK(read_trace_context({good, good}, {"a=1"}) == TraceContext());
}

TEST_CASE("a tracestate goes along with its traceparent, whole or not at all") {
  CHECK(state_of({"rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"}) == "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE");
  CHECK(state_of({"a=1", "b=2 , c=3"}) == "a=1,b=2,c=3");
  CHECK(state_of({"a=1,,\t,b=2"}) == "a=1,b=2");
  CHECK(state_of({"fw529a3039@dt=FfffFff"}) == "fw529a3039@dt=FfffFff");
  CHECK(state_of({members(32, 10)}) == members(32, 10));
  for (const std::string& wrong :
       {std::string("a"), std::string("=1"), std::string("a="), std::string("A=1"), std::string("a=1=2"),
        std::string("a=\x7f"), std::string("a b=1"), std::string("good=1,b\r\nX-Evil: 1"), members(33, 10),
        "a=" + std::string(257, 'v')}) {
    INFO(wrong);
    CHECK(state_of({wrong}).empty());
    CHECK(read_trace_context({good}, {wrong}).parent == good);
  }
}

TEST_CASE("of a tracestate that is too long, large members go first and then those at the end") {
  CHECK(state_of({members(4, 127)}).size() == 4 * 127 + 3);
  CHECK(state_of({"big=" + std::string(150, 'v') + "," + members(8, 60)}) == members(8, 60));
  CHECK(state_of({members(10, 100)}) == members(5, 100));
}
