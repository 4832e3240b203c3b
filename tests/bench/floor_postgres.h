// How the floor asks PostgreSQL: by raw libpq, each question prepared once per connection, parameters in binary and
// values as texts, as engine/storage has them. One thread at a time.
#pragma once

#include "engine/storage/postgres/database.h"
#include "engine/storage/postgres/error.h"
#include "engine/storage/postgres/statements.h"
#include "tests/bench/floor_question.h"

#include <libpq-fe.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::bench {

// A whole answer's rows, one after the other.
class PostgresRows {
 public:
  explicit PostgresRows(storage::ResultPointer result) : result_(std::move(result)), size_(PQntuples(result_.get())) {}

  bool next() { return ++row_ < size_; }
  bool is_null(std::size_t column) const { return PQgetisnull(result_.get(), row_, index(column)) != 0; }
  std::int64_t integer(std::size_t column) const { return number<std::int64_t>(text(column)); }
  double real(std::size_t column) const { return number<double>(text(column)); }
  std::string_view text(std::size_t column) const {
    return {PQgetvalue(result_.get(), row_, index(column)),
            static_cast<std::size_t>(PQgetlength(result_.get(), row_, index(column)))};
  }

 private:
  static int index(std::size_t column) { return static_cast<int>(column); }
  template <typename Number>
  static Number number(std::string_view digits) {
    Number result = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), result);
    return result;
  }

  storage::ResultPointer result_;
  int size_, row_ = -1;
};

// Set up as engine/storage sets up its readers.
class PostgresConnection {
 public:
  static constexpr query::Dialect dialect = query::Dialect::PostgreSql;

  static void set_up_process() {}

  PostgresConnection(const std::string& url, const Questions& questions) : handle_(PQconnectdb(url.c_str())) {
    if (PQstatus(handle_.get()) != CONNECTION_OK) fail(PQerrorMessage(handle_.get()));
    const std::string settings = storage::postgres_reader_settings(storage::DatabaseOptions().read_deadline);
    check(storage::ResultPointer(PQexec(handle_.get(), settings.c_str())), PGRES_COMMAND_OK);
    for (const auto& [name, question] : questions) prepare(name, question);
  }

  // `key`: for a question that has one.
  PostgresRows ask(const Question& question, std::int64_t key) {
    Prepared& prepared = prepared_.find(&question)->second;
    prepared.set_key(key);
    const storage::PostgresParameters& parameters = prepared.parameters;
    return PostgresRows(
        check(storage::ResultPointer(PQexecPrepared(handle_.get(), prepared.name.c_str(), parameters.count(),
                                                    prepared.data.data(), parameters.sizes(), parameters.formats(), 0)),
              PGRES_TUPLES_OK));
  }

 private:
  struct Prepared {
    Prepared(std::string name_, const Question& question)
        : name(std::move(name_)),
          parameters(must(storage::PostgresParameters::of(question.values))),
          data(parameters.data(), parameters.data() + parameters.count()) {
      if (question.key_parameter) data[question.key_parameter - 1] = key.data();
    }
    Prepared(const Prepared&) = delete;
    Prepared& operator=(const Prepared&) = delete;

    // The protocol's numbers are big-endian.
    void set_key(std::int64_t number) {
      const auto bits = static_cast<std::uint64_t>(number);
      for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<char>(bits >> (56 - 8 * i));
    }

    std::string name;
    storage::PostgresParameters parameters;
    std::vector<const char*> data;  // that of the parameters, but for the key's
    std::array<char, 8> key{};
  };
  struct ConnectionEnd {
    void operator()(PGconn* connection) const { PQfinish(connection); }
  };

  void prepare(const std::string& name, const Question& question) {
    const Prepared& prepared = prepared_.try_emplace(&question, name, question).first->second;
    const std::string sql = storage::numbered(question.statement.sql.text()).text;
    const std::vector<Oid>& types = prepared.parameters.types();
    check(storage::ResultPointer(
              PQprepare(handle_.get(), name.c_str(), sql.c_str(), static_cast<int>(types.size()), types.data())),
          PGRES_COMMAND_OK);
  }

  storage::ResultPointer check(storage::ResultPointer result, ExecStatusType wanted) const {
    if (PQresultStatus(result.get()) != wanted) fail(PQerrorMessage(handle_.get()));
    return result;
  }

  std::unique_ptr<PGconn, ConnectionEnd> handle_;
  std::map<const Question*, Prepared> prepared_;
};

}  // namespace callisto::bench
