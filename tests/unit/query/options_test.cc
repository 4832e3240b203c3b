#include "engine/query/options.h"

#include <catch2/catch.hpp>

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

TEST_CASE("a parameter without a dollar sign is ignored") {
  auto options = parse_options({{"Login_Token", "x"}, {"filter", "Ref==1"}, {"", ""}});
  REQUIRE(options);
  CHECK_FALSE(options->filter);
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
