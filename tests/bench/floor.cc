// bench_floor: the least that answering can cost, for ./dev bench to compare the server with. The same SQL, prepared
// once per connection, asked by raw sqlite3 or raw libpq and written by RapidJSON in a bare CivetWeb callback: no
// router, no sessions, no plan cache. GET /NAME/KEY is a record, GET /NAME a search or a count, GET /bare/NAME a file
// that holds a whole answer, head and all. Every request must carry the one Bearer token. SQL and shape of the rows
// come from the engine, once, at start.
#include "engine/base/pool.h"
#include "tests/bench/bare_server.h"
#include "tests/bench/floor_postgres.h"
#include "tests/bench/floor_question.h"
#include "tests/bench/floor_sqlite.h"

#include <CLI/CLI.hpp>

#include <fstream>
#include <iterator>
#include <map>
#include <thread>

namespace callisto::bench {
namespace {

struct Options {
  std::string database, token;
  Partitions partitions;
  std::vector<std::string> records, searches, files;  // NAME=ENTITY, NAME=ENTITY?QUERY, NAME=PATH
};

// The headers that the server sends with every answer.
std::string head_of(std::string_view content_type, std::size_t size) {
  std::string head = "HTTP/1.1 200 OK\r\nContent-Type: ";
  head += content_type;
  head += "; charset=utf-8\r\nContent-Length: ";
  head += std::to_string(size);
  head +=
      "\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n"
      "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\nReferrer-Policy: no-referrer\r\n\r\n";
  return head;
}

// One of the pool: every question prepared and bound.
template <typename Connection>
struct Reader {
  Reader(const std::string& database, const Questions& questions) : connection(database, questions) {}
  Connection connection;
  rapidjson::StringBuffer json;
};

// Connection: SqliteConnection or PostgresConnection.
template <typename Connection>
class Floor {
 public:
  explicit Floor(const Options& options)
      : authorization_("Bearer " + options.token), questions_(Connection::dialect, options.partitions) {
    for (const std::string& each : options.records) questions_.add_record(each);
    for (const std::string& each : options.searches) questions_.add_search(each);
    for (const std::string& each : options.files) add_file(each);
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < 4 * cores; ++i)
      readers_.add(std::make_unique<Reader<Connection>>(options.database, questions_));
  }

  void answer(mg_connection* client) {
    const char* authorization = mg_get_header(client, "Authorization");
    const std::string_view path = mg_get_request_info(client)->local_uri_raw;
    if (!authorization || authorization != authorization_) return write(client, unauthorized_);
    if (const auto file = files_.find(path); file != files_.end()) return write(client, file->second);
    const std::size_t slash = path.find('/', 1);
    const Question* question = questions_.find(path.substr(1, slash == path.npos ? slash : slash - 1));
    if (!question) return write(client, not_found_);
    thread_local std::string response;
    const std::int64_t key = slash == path.npos ? 0 : std::strtoll(path.data() + slash + 1, nullptr, 10);
    respond(*question, key, response);
    write(client, response);
  }

 private:
  void add_file(const std::string& text) {
    const auto [name, path] = named(text);
    std::ifstream in(path, std::ios::binary);
    if (!in) fail("cannot read " + path);
    files_.emplace("/bare/" + name, std::string(std::istreambuf_iterator<char>(in), {}));
  }

  void respond(const Question& question, std::int64_t key, std::string& response) {
    auto reader = readers_.borrow(callisto::FairTurns::nobody, std::chrono::seconds(60));
    reader->json.Clear();
    JsonWriter json(reader->json);
    if (!write_body(question, reader->connection.ask(question, key), json)) {
      response = not_found_;
      return;
    }
    const bool count = question.kind == Question::Kind::Count;
    response = head_of(count ? "text/plain" : "application/json", reader->json.GetSize());
    response.append(reader->json.GetString(), reader->json.GetSize());
  }

  static bool write_body(const Question& question, auto rows, JsonWriter& json) {
    if (question.kind == Question::Kind::Search) {
      write_page(question, rows, json);
      return true;
    }
    if (!rows.next()) return false;
    if (question.kind == Question::Kind::Count) json.Int64(rows.integer(0));
    else question.rows.write_record(json, rows);
    return true;
  }

  static void write_page(const Question& question, auto& rows, JsonWriter& json) {
    json.StartObject();
    write_key(json, "_self");
    write_string(json, question.self);
    write_key(json, "results");
    json.StartArray();
    while (rows.next()) question.rows.write(json, rows);
    json.EndArray();
    json.EndObject();
  }

  static void write(mg_connection* client, const std::string& response) {
    mg_write(client, response.data(), response.size());
  }

  const std::string authorization_;
  const std::string unauthorized_ = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n";
  const std::string not_found_ = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
  std::map<std::string, std::string, std::less<>> files_;  // whole responses
  Questions questions_;
  FairPool<Reader<Connection>> readers_;
};

Options read_options(int count, char** arguments) {
  CLI::App program("The floor of ./dev bench", "bench_floor");
  Options options;
  program.add_option("--database", options.database, "The server's SQLite file, or postgresql://...")->required();
  program.add_option("--token", options.token, "The access token that every request carries")->required();
  program.add_option("--partition", options.partitions, "One of the session's; none: all");
  program.add_option("--record", options.records, "NAME=ENTITY, answered at /NAME/KEY");
  program.add_option("--search", options.searches, "NAME=ENTITY?QUERY, answered at /NAME");
  program.add_option("--bare", options.files, "NAME=FILE, a whole answer, sent at /bare/NAME");
  try {
    program.parse(count, arguments);
  } catch (const CLI::ParseError& error) { std::exit(program.exit(error)); }
  return options;
}

template <typename Connection>
int serve(const Options& options) {
  Connection::set_up_process();
  Floor<Connection> floor(options);
  return serve_bare(floor);
}

int run(int count, char** arguments) {
  const Options options = read_options(count, arguments);
  const bool is_on_postgres = options.database.starts_with("postgresql://");
  return is_on_postgres ? serve<PostgresConnection>(options) : serve<SqliteConnection>(options);
}

}  // namespace
}  // namespace callisto::bench

int main(int count, char** arguments) { return callisto::bench::run(count, arguments); }
