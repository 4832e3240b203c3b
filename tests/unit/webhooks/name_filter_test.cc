#include "webhooks/name_filter.h"

#include <time.h>

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::webhooks;

namespace {

bool passes(const std::string& filter, const std::string& name) {
  auto parsed = NameFilter::parse(filter);
  if (!parsed) FAIL(parsed.error().message);
  return parsed->matches(name);
}

std::string complaint(const std::string& filter) {
  auto parsed = NameFilter::parse(filter);
  return parsed ? "" : parsed.error().message;
}

std::string repeated(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

// Of this thread's own, whatever else the machine does. What is far too slow takes minutes or years.
constexpr double most_seconds = 3;

template <typename Act>
double seconds_taken(Act act) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
  };
  const double start = now();
  act();
  return now() - start;
}

struct Row {
  std::string filter, name;
  bool passes;
};

const std::vector<Row> table_rows{
    {"", "anything", true},
    {" ; ;", "anything", true},
    {"\\.pdf$", "report.pdf", true},
    {"\\.pdf$", "Report.PDF", true},
    {"\\.PDF$", "report.pdf", true},
    {"\\.pdf$", "report.pdf.exe", false},
    {"report", "my report 7", true},
    {"^report", "my report 7", false},
    {"\\.pdf$;\\.docx?$", "a.doc", true},
    {"\\.pdf$ ; \\.docx?$", "a.docx", true},
    {"\\.pdf$;\\.docx?$", "a.exe", false},
    {"a|b", "xbx", true},
    {"^a|b$", "axx", true},
    {"^a|b$", "xax", false},
    {"[[:digit:]]{4}", "scan2026", true},
    {"[[:digit:]]{4}", "scan202", false},
    {"[^a-z]", "abc", false},
    {"[a\\]b]c", "]c", true},
    {"\\x3b", "a;b", true},
    {"\\u00e9t", "\xC3\xA9t\xC3\xA9", true},
    {"b\xC3\xBCro", "B\xC3\x9CRO.txt", true},
    {"B\xC3\x9CRO", "b\xC3\xBCro.txt", true},
    {"^.$", "\xF0\x9F\x98\x80", true},
    {"^.$", "\xFF", true},
    {"x", "\xC3(\xFFx", true},
    {"^[\xC3\xA0-\xC3\xBF]+$", "\xC3\x89\xC3\xA9", true},
    {"^(?!.*\\.exe$)", "a.pdf", true},
    {"^(?!.*\\.exe$)", "a.exe", false},
    {"^a.*z$", "a\nz", false},
    {"^$", "", true},
    {"x$", std::string(300, 'a') + "x", true},
    {"^x", "x" + std::string(300, 'a'), true},
    {"m", std::string(200, 'a') + "m" + std::string(200, 'a'), false},
};

const std::vector<std::pair<std::string, std::string>> broken_names{
    {"(", "a parenthesis is not closed"},
    {"a)(b", "a parenthesis is not closed"},
    {"a)", "a parenthesis is not closed"},
    {"[a", "a [ is not closed"},
    {"a{", "a {count} is broken"},
    {"a{x}", "a {count} is broken"},
    {"a{3,2}", "a {count} is broken"},
    {"[z-a]", "runs backwards"},
    {"*a", "nothing stands before"},
    {"a**", ""},
    {"\\", "a backslash"},
    {"[[:nonsense:]]", "is unknown"},
    {"(a)\\1", "back-references"},
    {"\\" + std::string(60, '5'), "back-references"},
    {"(?<n>a)", ""},
    {"a\x01", "control character"},
    {std::string("a\0b", 3), "control character"},
    {"\xFF", "no UTF-8"},
    {std::string(513, 'a'), "longer than 512"},
    {repeated("(", 17) + repeated(")", 17), "deeper than 16"},
    {repeated("(", 256) + repeated(")", 256), "deeper than 16"},
    {repeated("(", 20000) + repeated(")", 20000), "longer than 512"},
    {"(a{1000}){1000}", "too long"},
    {"a{999999}", "too long"},
    {"a{99999999999999999999}", "too long"},
    {"a{70}{70}{70}", "too long"},
    {"((((a{9}){9}){9}){9}){9}", "too long"},
    {"(?=.*(?=.*b))", "too long"},
    {"((?=.*b)){30}", "too long"},
    {"[[:alpha:](]{6000}", "too long"},
    {"[[](a{1000}){1000}", "too long"},
    {"[]](a{1000}){1000}", "too long"},
    {"\\[(a{1000}){1000}", "too long"},
    {repeated("a{400};", 20), "too long"},
};

}  // namespace

TEST_CASE("which names pass") {
  for (const Row& row : table_rows) {
    CAPTURE(row.filter, row.name);
    CHECK(passes(row.filter, row.name) == row.passes);
  }
}

TEST_CASE("a broken expression is named, with what is wrong") {
  for (const auto& [filter, words] : broken_names) {
    CAPTURE(filter.substr(0, 80), words);
    if (words.empty()) {
      static_cast<void>(complaint(filter));  // either will do, but no crash
      continue;
    }
    CHECK_THAT(complaint(filter), Catch::Contains(words));
    CHECK_THAT(complaint("\\.pdf$;" + filter), Catch::Contains("AttachmentNameFilter"));
  }
  CHECK_THAT(complaint("a;b(;c"), Catch::Contains("'b('") && !Catch::Contains("'a'"));
}

TEST_CASE("no expression keeps a name waiting") {
  const std::vector<std::string> costly{"(a+)+$",
                                        "a**",
                                        "(a|a)*$",
                                        "(a|aa)+$",
                                        "(.*)*b",
                                        "(a*)*(a*)*b",
                                        "(a?){1500}b",
                                        "a{4000}",
                                        "(?=.*.*.*b)",
                                        "([a-z]?){1500}b",
                                        repeated("a?", 250) + "b",
                                        repeated("(a?){200};", 8)};
  for (const std::string& filter : costly) {
    CAPTURE(filter);
    auto parsed = NameFilter::parse(filter);
    if (!parsed) FAIL(parsed.error().message);
    CHECK(seconds_taken([&] { parsed->matches(std::string(20'000, 'a') + "!"); }) < most_seconds);
  }
}

TEST_CASE("no expression keeps saving waiting") {
  for (const auto& [filter, words] : broken_names) {
    const std::string broken = filter;
    CHECK(seconds_taken([&] { static_cast<void>(complaint(broken)); }) < most_seconds);
  }
}
