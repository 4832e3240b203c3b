#include "engine/storage/postgres/install.h"

#include "engine/base/log.h"
#include "engine/base/text.h"

#include <charconv>
#include <iterator>
#include <vector>

namespace callisto::storage {
namespace {

// Part of the marker: to be raised when the function itself changes.
constexpr std::string_view revision = "1";

// As query/evaluate.cc compares: the whole part first, then the rest. 2^63 is the first real beyond all whole numbers.
constexpr std::string_view order_of =
    "CREATE OR REPLACE FUNCTION order_of(whole bigint, value double precision) RETURNS integer "
    "LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $order$ SELECT CASE "
    "WHEN value >= 9223372036854775808.0 THEN -1 WHEN value < -9223372036854775808.0 THEN 1 "
    "WHEN whole <> trunc(value)::bigint THEN CASE WHEN whole < trunc(value)::bigint THEN -1 ELSE 1 END "
    "ELSE sign(trunc(value) - value)::integer END $order$; ";

// Revision and Unicode version, the function's comment.
std::string marker() { return "callisto " + std::string(revision) + " " + text::unicode_version(); }

std::vector<int> numbers(std::string_view marker) {
  std::vector<int> result;
  for (std::string_view word : text::split(marker, ' '))
    for (std::string_view part : text::split(word, '.')) {
      int number = 0;
      if (std::from_chars(part.data(), part.data() + part.size(), number).ec == std::errc()) result.push_back(number);
    }
  return result;
}

// First characters of the blocks that the table is cut into, U+0250 to U+10000. translate() compares with one character
// after the other, so a text should meet no more than its own script.
constexpr std::string_view block_ends[] = {"\xC9\x90",     "\xD0\x80",     "\xD4\xB0",
                                           "\xE1\xB8\x80", "\xE1\xBC\x80", "\xE2\x80\x80",
                                           "\xE2\xBA\x80", "\xEF\xBC\x80", "\xF0\x90\x80\x80"};

std::string_view take_character(std::string_view& text) {
  std::size_t size = 1;
  while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) ++size;
  const std::string_view character = text.substr(0, size);
  text.remove_prefix(size);
  return character;
}

// What a character becomes is changed by no other block, so that they may follow each other.
std::string fold_blocks() {
  const text::FoldTable table = text::fold_table();
  std::string_view from = table.from, to = table.to;
  std::string statements;
  for (const std::string_view* end = std::begin(block_ends); !from.empty(); ++end) {
    std::string block_from, block_to;
    std::string_view first = from, last;
    while (!from.empty() && (end == std::end(block_ends) || from < *end)) {
      block_from += last = take_character(from);
      block_to += take_character(to);
    }
    if (block_from.empty()) continue;
    statements += "IF value ~ '[" + std::string(take_character(first)) + "-" + std::string(last) +
                  "]' THEN value := translate(value, '" + block_from + "', '" + block_to + "'); END IF; ";
  }
  return statements;
}

// With the collation C, lower() and ranges of characters know code points alone.
std::string function() {
  return "CREATE OR REPLACE FUNCTION folded(value text) RETURNS text "
         "LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $fold$ BEGIN "
         "value := lower(value COLLATE \"C\"); "
         "IF octet_length(value) <> char_length(value) THEN " +
         fold_blocks() + "END IF; RETURN value; END $fold$; ";
}

std::string installation() {
  return "DO $domain$ BEGIN IF to_regtype('blob') IS NULL THEN CREATE DOMAIN blob AS bytea; END IF; END $domain$; " +
         std::string(order_of) + function() + "COMMENT ON FUNCTION folded(text) IS '" + marker() +
         "'; "
         "DO $again$ DECLARE each regclass; BEGIN "
         "FOR each IN SELECT DISTINCT objid::regclass FROM pg_depend d JOIN pg_class c ON c.oid = d.objid "
         "WHERE d.classid = 'pg_class'::regclass AND c.relkind = 'i' AND d.refclassid = 'pg_proc'::regclass "
         "AND d.refobjid = 'folded(text)'::regprocedure LOOP EXECUTE 'REINDEX INDEX ' || each; END LOOP; END $again$;";
}

Result<std::string> installed(PostgresConnection& connection) {
  CALLISTO_TRY(
      auto row,
      connection.query(Sql("SELECT COALESCE(obj_description(to_regprocedure('folded(text)'), 'pg_proc'), '')"), {}));
  CALLISTO_TRY([[maybe_unused]] bool given, row->step());
  return std::string(row->text(0));
}

}  // namespace

Result<void> install_functions(PostgresConnection& connection) {
  CALLISTO_TRY(const std::string before, installed(connection));
  if (before == marker()) return {};
  if (numbers(before) > numbers(marker()))
    return internal("the database folds case by a newer version of Unicode than this program's ICU: it has '" + before +
                    "', the program '" + marker() + "'. Run all nodes with the newer ICU.");
  if (!before.empty()) log::info("the database's table of case folding is renewed; indexes of texts are built again");
  return connection.write([](Connection& writer) { return writer.run_script(installation()); });
}

}  // namespace callisto::storage
