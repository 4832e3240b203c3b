#include "engine/storage/postgres/statements.h"

#include "engine/storage/postgres/error.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <type_traits>
#include <utility>

namespace callisto::storage {
namespace {

// pg_type.dat: these numbers never change.
constexpr Oid bytea_oid = 17, int8_oid = 20, text_oid = 25, float8_oid = 701;

constexpr int binary_format = 1;

void close(PGconn* connection, const std::string& name) {
  ResultPointer ignored(PQexec(connection, ("DEALLOCATE " + name).c_str()));
}

}  // namespace

NumberedSql numbered(std::string_view sql) {
  NumberedSql result;
  result.text.reserve(sql.size());
  char quote = 0;
  for (std::size_t i = 0; i < sql.size(); ++i) {
    const char c = sql[i];
    if (quote) quote = c == quote ? '\0' : quote;  // a doubled one closes and opens again
    else if (c == '\'' || c == '"') quote = c;
    else if (c == '?') {
      std::size_t number = 0;
      std::from_chars(sql.data() + i + 1, sql.data() + sql.size(), number);
      result.parameters = std::max(result.parameters, number);
      result.text += '$';
      continue;
    }
    result.text += c;
  }
  return result;
}

void PostgresParameters::add(Oid type, const char* data, std::size_t size) {
  types_.push_back(type);
  data_.push_back(data);
  sizes_.push_back(static_cast<int>(size));
  formats_.push_back(binary_format);
}

// The protocol's numbers are big-endian.
void PostgresParameters::add_number(Oid type, std::uint64_t bits) {
  Number& number = numbers_.emplace_back();
  for (std::size_t i = 0; i < number.size(); ++i) number[i] = static_cast<char>(bits >> (56 - 8 * i));
  add(type, number.data(), number.size());
}

Result<PostgresParameters> PostgresParameters::of(const std::vector<Value>& values) {
  PostgresParameters result;
  for (const Value& value : values) {
    if (const auto* words = std::get_if<std::string>(&value); words && words->find('\0') != std::string::npos)
      return bad_format("A text must not contain the character U+0000.");
    std::visit(
        [&](const auto& held) {
          using T = std::decay_t<decltype(held)>;
          if constexpr (std::is_same_v<T, Null>) result.add(0, nullptr, 0);
          else if constexpr (std::is_same_v<T, bool>) result.add_number(int8_oid, held ? 1 : 0);
          else if constexpr (std::is_same_v<T, std::int64_t>)
            result.add_number(int8_oid, static_cast<std::uint64_t>(held));
          else if constexpr (std::is_same_v<T, double>)
            result.add_number(float8_oid, std::bit_cast<std::uint64_t>(held));
          else if constexpr (std::is_same_v<T, DateTime>)
            result.add_number(int8_oid, static_cast<std::uint64_t>(held.ms));
          else if constexpr (std::is_same_v<T, Decimal>)
            result.add_number(int8_oid, static_cast<std::uint64_t>(held.digits));
          else if constexpr (std::is_same_v<T, std::string>) result.add(text_oid, held.data(), held.size());
          else result.add(bytea_oid, held.bytes.data(), held.bytes.size());
        },
        value);
  }
  return result;
}

Result<std::string> PostgresStatements::prepare(PGconn* connection, std::string_view sql,
                                                const PostgresParameters& parameters) {
  if (auto found = by_sql_.find(sql); found != by_sql_.end()) {
    entries_.splice(entries_.begin(), entries_, found->second);
    CALLISTO_CHECK(check_count(entries_.front(), parameters));
    CALLISTO_CHECK(adopt_types(connection, entries_.front(), parameters.types()));
    return entries_.front().name;
  }
  Entry entry{std::string(sql), {}, parameters.types(), numbered(sql).parameters, false};
  CALLISTO_CHECK(check_count(entry, parameters));
  CALLISTO_CHECK(prepare(connection, entry));
  make_room(connection);
  entries_.push_front(std::move(entry));
  by_sql_.emplace(entries_.front().sql, entries_.begin());
  return entries_.front().name;
}

Result<void> PostgresStatements::check_count(const Entry& entry, const PostgresParameters& parameters) {
  const auto given = static_cast<std::size_t>(parameters.count());
  if (given == entry.parameters) return {};
  return internal("a statement of " + std::to_string(entry.parameters) + " parameters was given " +
                  std::to_string(given) + " values: " + entry.sql);
}

// A null takes the type that its parameter had before, so that a statement is prepared anew at most once for each of
// its parameters, as long as their kinds stay.
Result<void> PostgresStatements::adopt_types(PGconn* connection, Entry& entry, const std::vector<Oid>& types) {
  std::vector<Oid> wanted = entry.types;
  for (std::size_t i = 0; i < types.size(); ++i)
    if (types[i] != 0) wanted[i] = types[i];
  if (wanted == entry.types) return {};
  const std::string before = std::exchange(entry.name, {});
  std::swap(entry.types, wanted);
  if (auto prepared = prepare(connection, entry); !prepared) {
    entry.name = before;
    entry.types = std::move(wanted);
    return prepared;
  }
  close(connection, before);
  return {};
}

Result<void> PostgresStatements::prepare(PGconn* connection, Entry& entry) {
  entry.name = "s" + std::to_string(++made_);
  const ResultPointer prepared(PQprepare(connection, entry.name.c_str(), numbered(entry.sql).text.c_str(),
                                         static_cast<int>(entry.types.size()), entry.types.data()));
  if (PQresultStatus(prepared.get()) != PGRES_COMMAND_OK) return postgres_error(connection, prepared.get(), entry.sql);
  return {};
}

// In a failed transaction nothing can be closed: grow for now.
void PostgresStatements::make_room(PGconn* connection) {
  while (entries_.size() >= capacity_ && PQtransactionStatus(connection) != PQTRANS_INERROR) {
    close(connection, entries_.back().name);
    by_sql_.erase(entries_.back().sql);
    entries_.pop_back();
  }
}

void PostgresStatements::plan_each(std::string_view sql) {
  if (const auto found = by_sql_.find(sql); found != by_sql_.end()) found->second->is_planned_each = true;
}

bool PostgresStatements::is_planned_each(std::string_view sql) const {
  const auto found = by_sql_.find(sql);
  return found != by_sql_.end() && found->second->is_planned_each;
}

void PostgresStatements::forget() {
  by_sql_.clear();
  entries_.clear();
}

}  // namespace callisto::storage
