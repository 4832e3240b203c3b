// The floor of questions.py where many ask at once: a bare CivetWeb that answers GET /NUMBER with the rows of a
// statement as JSON, each statement prepared once for each of its connections. The lines of a file are the statements,
// the first of them number 0.
#include "engine/base/pool.h"
#include "tests/bench/bare_server.h"
#include "tests/bench/question_ask.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <fstream>
#include <vector>

namespace callisto::bench {
namespace {

constexpr std::size_t connections = 8;  // more only wait for a core

std::string body_of(const Ask& ask, std::size_t number) {
  rapidjson::StringBuffer text;
  rapidjson::Writer<rapidjson::StringBuffer> json(text);
  bool in_row = false;
  json.StartArray();
  ask(number, [&](std::size_t column, const Cell& cell) {
    if (column == 0 && in_row) json.EndObject();
    if (column == 0) json.StartObject();
    in_row = true;
    json.Key(cell.name.data(), static_cast<rapidjson::SizeType>(cell.name.size()));
    const auto size = static_cast<rapidjson::SizeType>(cell.text.size());
    if (cell.kind == Cell::Kind::Null) json.Null();
    else if (cell.kind == Cell::Kind::Text) json.String(cell.text.data(), size);
    else json.RawValue(cell.text.data(), size, rapidjson::kNumberType);
  });
  if (in_row) json.EndObject();
  json.EndArray();
  return {text.GetString(), text.GetSize()};
}

class Server {
 public:
  Server(const std::string& database, const std::string& file) {
    Statements statements;
    std::ifstream lines(file);
    for (std::string sql; std::getline(lines, sql);) statements.push_back(sql);
    count_ = statements.size();
    for (std::size_t i = 0; i < connections; ++i) asks_.add(std::make_unique<Ask>(ask_of(database, statements)));
  }

  void answer(mg_connection* client) {
    const std::size_t number = std::strtoul(mg_get_request_info(client)->local_uri_raw + 1, nullptr, 10);
    if (number >= count_) fail("no such statement");
    std::string body;
    {
      auto ask = asks_.borrow(FairTurns::nobody, std::chrono::seconds(60));
      body = body_of(*ask, number);
    }
    const std::string answer =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
        "\r\n\r\n" + body;
    mg_write(client, answer.data(), answer.size());
  }

 private:
  std::size_t count_ = 0;
  FairPool<Ask> asks_;
};

int serve(const std::string& database, const std::string& file) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
  Server server(database, file);
  return serve_bare(server);
}

}  // namespace
}  // namespace callisto::bench

int main(int count, char** arguments) {
  if (count != 3) callisto::bench::fail("DATABASE FILE");
  return callisto::bench::serve(arguments[1], arguments[2]);
}
