#include "engine/query/options.h"

#include <catch2/catch.hpp>

#include <cctype>

using namespace callisto;
using namespace callisto::query;

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

Error error_of(const Pairs& pairs) {
  auto options = parse_options(pairs);
  REQUIRE_FALSE(options);
  CHECK(options.error().status == 400);
  CHECK(options.error().type == "QueryException");
  REQUIRE(options.error().diagnostic);
  return std::move(options).error();
}

}  // namespace

TEST_CASE("option names match ignoring case and their values do not") {
  auto options = parse_options({{"$FILTER", "Ref==1"}, {"$Top", "5"}, {"$orderBy", "Ref"}, {"$INLINECOUNT", "true"}});
  REQUIRE(options);
  CHECK(options->filter == "Ref==1");
  CHECK(options->top == 5);
  CHECK(options->orderby == "Ref");
  CHECK(options->inline_count);
  error_of({{"$count", "TRUE"}});
}

TEST_CASE("joins repeat and keep the order of the url") {
  auto options = parse_options({{"$innerJoin", "a"}, {"$leftjoin", "b"}, {"$INNERJOIN", "c"}});
  REQUIRE(options);
  REQUIRE(options->joins.size() == 3);
  CHECK((options->joins[0].text == "a" && options->joins[0].inner));
  CHECK((options->joins[1].text == "b" && !options->joins[1].inner));
  CHECK((options->joins[2].text == "c" && options->joins[2].inner));
}

TEST_CASE("an unknown option is refused and the nearest one is suggested") {
  const Error error = error_of({{"$fliter", "Ref==1"}});
  CHECK(error.message == "There is no option '$fliter'; did you mean '$filter'?");
  CHECK(error.diagnostic->suggestion == "$filter");
  CHECK(error.diagnostic->found == "$fliter");
  error_of({{"$", "1"}});
}

TEST_CASE("a dollar sign behind what a broken url put before it is no other parameter") {
  for (const char* name : {" $filter", "?$filter", "amp;$filter", ";$filter", "&$filtr", "x$filter"}) {
    const Error error = error_of({{name, "Ref==1"}});
    CHECK(error.message == "There is no option '" + std::string(name) + "'; did you mean '$filter'?");
  }
}

TEST_CASE("a parameter of others is ignored") {
  for (const char* name : {"Login_Token", "_", "utm_source", "access_token", "top-level", "filter_id", "my_select",
                           "limit", "q", "topping", "counter", "100%", "%zz", "f", "gr\u00fc\u00dfe", "x.y", "a[]"}) {
    INFO(name);
    auto options = parse_options({{name, "YWJj=="}, {"$top", "5"}, {name, ""}});
    REQUIRE(options);
    CHECK(options->top == 5);
  }
}

TEST_CASE("an option that lost its dollar sign on the way is refused, however it is mangled") {
  const std::vector<std::string> names{"select", "filter",  "orderby",     "leftJoin", "innerJoin", "top",      "skip",
                                       "count",  "explain", "inlinecount", "metadata", "options",   "partition"};
  const std::vector<std::pair<std::string, std::string>> around{
      {"", ""},          {" ", ""},      {"", " "},     {"?", ""},   {"amp;", ""}, {"amp;amp;", ""}, {"\\", ""},
      {"`", ""},         {"%24", ""},    {"%2524", ""}, {"&", ""},   {"%26", ""},  {"", "[]"},       {"", "[State]"},
      {"\uff04", ""},    {"\ufe69", ""}, {"{", "}"},    {"", ":"},   {"%20", ""},  {";", ""},        {"/", ""},
      {"%EF%BC%84", ""}, {"", ".x"},     {"'", "'"},    {"%3F", ""}, {"#", ""}};
  for (const std::string& name : names) {
    std::string upper = name;
    for (char& c : upper) c = static_cast<char>(std::toupper(c));
    for (const std::string& cased : {name, upper})
      for (const auto& [before, after] : around) {
        const std::string mangled = before + cased + after;
        INFO(mangled);
        CHECK_THAT(error_of({{"Login_Token", "x"}, {mangled, "1"}}).message, Catch::Contains("$" + name));
      }
  }
}

TEST_CASE("a parameter without a name tells of the shell that ate it") {
  for (const char* name : {"", " ", "%20", "amp;"})
    CHECK_THAT(error_of({{name, "Ref==1"}}).message, Catch::Contains("single quotes"));
}

TEST_CASE("what can only be the rest of a filter is refused") {
  for (const auto& [name, value] : Pairs{{"State", "=2"},
                                         {"Ref<5", ""},
                                         {"Ref<", "5"},
                                         {"Ref>", "5"},
                                         {"Ref!", "5"},
                                         {"!Breached", ""},
                                         {"(Ref", "1)"},
                                         {"@IsDeleted", ""},
                                         {"Ref", "=1||Ref==2"},
                                         {" State ", "= 2"},
                                         {"Name.Contains(\"x\")", ""},
                                         {"State%3D%3D2", ""},
                                         {"State==2", ""},
                                         {"Ref%3C5", ""},
                                         {"%26Ref<5", ""},
                                         {"Ref%253C5", ""},
                                         {"true||Ref<5", ""},
                                         {"\"x\"", "=Name"},
                                         {"D\"", ""}})
    CHECK_THAT(error_of({{"$filter", "Ref==1"}, {name, value}}).message, Catch::Contains("part of a filter"));
}

TEST_CASE("an option given twice is refused, however it is spelled") {
  CHECK(error_of({{"$top", "1"}, {"$Top", "1"}}).message == "$top is given twice");
}

TEST_CASE("paging takes whole numbers in range only") {
  CHECK(parse_options({{"$top", "1"}, {"$skip", "0"}}));
  CHECK(parse_options({{"$top", "2147483647"}, {"$skip", "2147483647"}}));
  for (const char* value : {"0", "-1", "", " 1", "1 ", "1.0", "2147483648", "99999999999999999999", "x", "+1"})
    error_of({{"$top", value}});
  for (const char* value : {"-1", "", "2147483648"}) error_of({{"$skip", value}});
  CHECK(error_of({{"$top", "0"}}).message == "$top: found '0', expected a number from 1 to 2147483647");
  CHECK(parse_options({{"$partition", "0"}})->partition == 0);
  error_of({{"$partition", "x"}});
}

TEST_CASE("counts are true or false, flags are true or bare") {
  auto options =
      parse_options({{"$count", "false"}, {"$inlinecount", "true"}, {"$metadata", ""}, {"$options", "true"}});
  REQUIRE(options);
  CHECK_FALSE(options->count);
  CHECK(options->inline_count);
  CHECK(options->metadata);
  CHECK(options->options);
  for (const char* name : {"$count", "$inlinecount"})
    for (const char* value : {"", "1", "yes"}) error_of({{name, value}});
  for (const char* name : {"$metadata", "$options", "$explain"}) error_of({{name, "maybe"}});
  CHECK(parse_options({{"$count", "true"}, {"$inlinecount", "true"}}));
}

TEST_CASE("a value that is no UTF-8 is refused") { error_of({{"$filter", "Ref==\"\xC3\x28\""}}); }

TEST_CASE("a single record knows $select and no option of searches") {
  CHECK(allow_select_only(*parse_options({{"$select", "Ref"}, {"$count", "false"}})));
  for (const Pairs& pairs : {Pairs{{"$filter", ""}}, Pairs{{"$orderby", "Ref"}}, Pairs{{"$top", "1"}},
                             Pairs{{"$skip", "1"}}, Pairs{{"$partition", "1"}}, Pairs{{"$count", "true"}},
                             Pairs{{"$inlinecount", "true"}}, Pairs{{"$leftJoin", "x"}}}) {
    auto allowed = allow_select_only(*parse_options(pairs));
    REQUIRE_FALSE(allowed);
    CHECK(allowed.error().diagnostic->option == pairs[0].first);
  }
}
