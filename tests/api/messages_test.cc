// The words that a client reads: each mistake that people make when they come from SQL, OData, C# or a word processor
// is told where it stands and how to mend it (API rules 2.8 and 5.1).
#include "bad_input.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

struct Mistake {
  std::string option, text, message, suggestion;
};

void check(const Mistake& mistake) {
  const Answer answer = get("analyst", "v1/call", {{mistake.option, mistake.text}});
  INFO(mistake.option << " = " << mistake.text << " -> " << answer.body.substr(0, 500));
  CHECK(answer.status == 400);
  const json::Node body = check_refusal(answer, mistake.text);
  CHECK(member(body, "Type").text() == "QueryException");
  CHECK(member(body, "Message").text() == mistake.message);
  const json::Node* suggestion = body.find("Suggestion");
  CHECK((suggestion ? suggestion->text() : "") == mistake.suggestion);
}

void check_all(const std::vector<Mistake>& mistakes) {
  for (const Mistake& each : mistakes) check(each);
}

}  // namespace

TEST_CASE("operators of other languages are told by the operator meant") {
  check_all({
      {"$filter", "Ref == 1 and Ref == 2",
       "$filter, column 10: found 'and', expected '&&', '||' or the end; did you mean '&&'?", "&&"},
      {"$filter", "Ref => 5", "$filter, column 5: found '=>', which is no operator; did you mean '>='?", ">="},
      {"$filter", "Ref =< 5", "$filter, column 5: found '=<', which is no operator; did you mean '<='?", "<="},
      {"$filter", "Ref === 5", "$filter, column 5: found '===', which is no operator; did you mean '=='?", "=="},
      {"$filter", "Ref !== 5", "$filter, column 5: found '!==', which is no operator; did you mean '!='?", "!="},
      {"$filter", "not ClockStopped",
       "$filter, column 1: found 'not', expected a property, a literal or an augmenter; did you mean '!'?", "!"},
      {"$filter", "not(ClockStopped)",
       "$filter, column 1: found 'not', expected a property, a literal or an augmenter; did you mean '!'?", "!"},
      {"$filter", "Ref IN (1, 2)",
       "$filter, column 5: found 'IN', expected an operator, '&&', '||' or the end; did you mean 'in'?", "in"},
      {"$filter", "Ref between 1 and 2",
       "$filter, column 5: found 'between', which is no operator; compare with '>=' and with '<=', and join both with "
       "'&&'",
       ""},
      {"$leftJoin", "H:CallHistory(TicketId == Ref and Order == 1)",
       "$leftJoin, column 31: found 'and', expected '&&' or ')'; did you mean '&&'?", "&&"},
      {"$orderby", "Ref descending",
       "$orderby, column 5: found 'descending', expected asc, desc or ','; did you mean 'desc'?", "desc"},
      {"$select", "Ref, User.Name as Caller",
       "$select, column 16: found 'as', expected ',' or the end; did you mean 'Caller:User.Name'?", "Caller:User.Name"},
  });
}

TEST_CASE("texts, dates and lookups that are written wrongly are told how they are written") {
  check_all({
      {"$filter", "ShortDescription == \u201cx\u201d",
       "$filter, column 21: found '\u201c', but texts stand in straight double quotes", ""},
      {"$filter", "ShortDescription == 'x'", "$filter, column 21: found ''', but texts stand in double quotes", ""},
      {"$filter", "Priority.Name == High",
       "$filter, column 18: 'High' is no property of call; did you mean '\"High\"'?", "\"High\""},
      {"$filter", "Priority == \"High\"",
       "$filter, column 13: 'Priority' is Lookup: found '\"High\"', expected a key (a whole number); to compare texts, "
       "name Priority.Name",
       ""},
      {"$filter", "(Ref == 1 && CreatedDate > 2026-03-15)",
       "$filter, column 28: '2026-03-15' is no number; did you mean '@DateTime(2026-03-15)'?", "@DateTime(2026-03-15)"},
      {"$filter", "Number1 == 5-3", "$filter, column 13: found '-3', expected '&&', '||' or the end", ""},
      {"$filter", "User == Priority",
       "$filter, column 6: 'User' is Lookup of person and 'Priority' is Lookup of call-priority; these cannot be "
       "compared",
       ""},
      {"$filter", "Ref == NULL", "$filter, column 8: 'NULL' is no property of call; did you mean 'null'?", "null"},
      {"$filter", "ClockStopped == True", "$filter, column 17: 'True' is no property of call; did you mean 'true'?",
       "true"},
  });
}

TEST_CASE("methods and augmenters that are named wrongly are told their names") {
  check_all({
      {"$filter", "ShortDescription.ToLower() == \"x\"",
       "$filter, column 18: 'ToLower' is no method; there are Contains, StartsWith and EndsWith", ""},
      {"$filter", "startswith(ShortDescription, \"x\")",
       "$filter, column 1: 'startswith' is no function; a method follows its property, as in "
       "Property.StartsWith(\"text\")",
       ""},
      {"$filter", "IsDeleted",
       "$filter, column 1: 'IsDeleted' can be selected, but not searched; did you mean '@IsDeleted'?", "@IsDeleted"},
      {"$orderby", "IsDeleted",
       "$orderby, column 1: 'IsDeleted' can be selected, but not searched; did you mean '@IsDeleted'?", "@IsDeleted"},
      {"$leftJoin", "H:CallHistory(IsDeleted == false)",
       "$leftJoin, column 15: 'IsDeleted' can be selected, but not searched; did you mean '@IsDeleted'?", "@IsDeleted"},
      {"$filter", "!slmbreached",
       "$filter, column 2: 'slmbreached' is no property of call; did you mean '@SlmBreached'?", "@SlmBreached"},
      {"$filter", "@SlmBreached == true",
       "$filter, column 1: @SlmBreached is a condition and no value; use it alone, or negated as !@SlmBreached", ""},
      {"$filter", "CreatedDate > @NowOffset(-1)",
       "$filter, column 15: @NowOffset takes (days, hours, minutes), found 1 argument", ""},
      {"$select", "AssignmentState",
       "$select, column 1: 'AssignmentState' is no property of call; did you mean '@AssignmentState'?",
       "@AssignmentState"},
      {"$orderby", "@Now", "$orderby, column 1: found '@Now', expected a property", ""},
  });
}

TEST_CASE("options that do not exist are told the option meant, or all there are") {
  const std::vector<std::pair<std::string, std::string>> meant{
      {"$filtr", "$filter"},  {"$Filters", "$filter"}, {"$join", "$leftJoin"},       {"$order", "$orderby"},
      {"$sort", "$orderby"},  {"$limit", "$top"},      {"$offset", "$skip"},         {"$expands", "$expand"},
      {"$fields", "$select"}, {"$where", "$filter"},   {"$outerJoin", "$innerJoin"}, {"$partitions", "$partition"},
      {"$counts", "$count"},  {"$$top", "$top"}};
  for (const auto& [wrong, right] : meant)
    check({wrong, "1", "There is no option '" + wrong + "'; did you mean '" + right + "'?", right});
  check(
      {"$zzz", "1",
       "There is no option '$zzz'; there are $select, $filter, $orderby, $groupby, $aggregate, $leftJoin, $innerJoin, "
       "$top, $skip, $after, $partition, $count, $inlinecount, $metadata, $options, $explain and $expand",
       ""});
}

TEST_CASE("a refusal carries what a machine needs: Option, Position, Found, Expected") {
  const Answer answer = get("analyst", "v1/call", {{"$filter", "Ref == 1 && User.Nam == \"\u00fc\" )"}});
  const json::Node syntax = check_refusal(answer);
  CHECK(member(syntax, "Position").text() == "29");
  CHECK(member(syntax, "Found").text() == ")");
  CHECK(member(syntax, "Expected").items().size() == 3);
  const json::Node name = check_refusal(get("analyst", "v1/call", {{"$select", "Ref,User.Nam"}}));
  CHECK(member(name, "Option").text() == "$select");
  CHECK(member(name, "Position").text() == "10");
  CHECK(member(name, "Found").text() == "Nam");
  CHECK(member(name, "Suggestion").text() == "Name");
  const json::Node value = check_refusal(get("analyst", "v1/call", {{"$top", "ten"}}));
  CHECK(member(value, "Option").text() == "$top");
  CHECK(value.find("Position") == nullptr);
  CHECK(member(value, "Expected").items().front().text() == "a number from 1 to 2147483647");
}
