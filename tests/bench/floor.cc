// bench_floor: the least that answering can cost, for ./dev bench to compare the server with. The same SQL, prepared
// once per connection, stepped by raw sqlite3 and written by RapidJSON in a bare CivetWeb callback: no router, no
// sessions, no plan cache. GET /NAME/KEY is a record, GET /NAME a search or a count, GET /bare/NAME a file that holds a
// whole answer, head and all. Every request must carry the one Bearer token. SQL and shape of the rows come from the
// engine, once, at start.
#include "engine/base/pool.h"
#include "engine/query/emit_sql.h"
#include "engine/records/search.h"
#include "engine/storage/sqlite_cursor.h"
#include "engine/storage/sqlite_functions.h"
#include "tests/bench/desk.h"
#include "tests/bench/floor_rows.h"

#include <civetweb.h>
#include <pthread.h>
#include <signal.h>
#include <CLI/CLI.hpp>

#include <fstream>
#include <iterator>
#include <map>
#include <thread>

namespace callisto::bench {
namespace {

struct Options {
  std::string database, token;
  std::vector<std::int64_t> partitions;               // of the session; none: all
  std::vector<std::string> records, searches, files;  // NAME=ENTITY, NAME=ENTITY?QUERY, NAME=PATH
};

std::pair<std::string, std::string> named(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos) fail("'" + text + "': expected NAME=...");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

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

struct Question {
  enum class Kind { Record, Search, Count };
  Question(Kind kind_, std::shared_ptr<const query::Plan> plan_, query::Statement statement_, const Options& options)
      : kind(kind_), plan(std::move(plan_)), statement(std::move(statement_)), rows(*plan) {
    for (const query::Binding& binding : statement.bindings) {
      values.push_back(value_of(binding, options));
      if (std::holds_alternative<query::KeyBinding>(binding)) key_parameter = static_cast<int>(values.size());
    }
  }

  Value value_of(const query::Binding& binding, const Options& options) const {
    if (const auto* constant = std::get_if<query::ConstantBinding>(&binding)) {
      if (plan->constants[constant->index].augmenter) fail("the floor computes no augmenters");
      return query::bound_value(*constant, plan->constants[constant->index].value);
    }
    if (const auto* partition = std::get_if<query::PartitionBinding>(&binding))
      return options.partitions[partition->index];
    if (const auto* text = std::get_if<query::TextBinding>(&binding)) return text->text;
    if (const auto* paging = std::get_if<query::Paging>(&binding))
      return *paging == query::Paging::Top ? plan->top.value_or(100) : plan->skip;
    return std::int64_t{0};
  }

  Kind kind;
  std::shared_ptr<const query::Plan> plan;
  query::Statement statement;
  RowText rows;
  std::vector<Value> values;  // for the parameters; the key's differs with each request
  int key_parameter = 0;
  std::string self;  // Search: its url
};

struct StatementEnd {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
struct ConnectionEnd {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};

// One of the pool: a read connection with every question prepared and bound.
struct Connection {
  std::unique_ptr<sqlite3, ConnectionEnd> db;
  std::map<const Question*, std::unique_ptr<sqlite3_stmt, StatementEnd>> statements;
  rapidjson::StringBuffer json;
};

class Floor {
 public:
  explicit Floor(const Options& options) : authorization_("Bearer " + options.token) {
    for (const std::string& each : options.records) add_record(each, options);
    for (const std::string& each : options.searches) add_search(each, options);
    for (const std::string& each : options.files) add_file(each);
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < 4 * cores; ++i) connections_.add(connect(options.database));
  }

  void answer(mg_connection* client) {
    const char* authorization = mg_get_header(client, "Authorization");
    const std::string_view path = mg_get_request_info(client)->local_uri_raw;
    if (!authorization || authorization != authorization_) return write(client, unauthorized_);
    if (const auto file = files_.find(path); file != files_.end()) return write(client, file->second);
    const std::size_t slash = path.find('/', 1);
    const auto question = questions_.find(path.substr(0, slash));
    if (question == questions_.end()) return write(client, not_found_);
    thread_local std::string response;
    const std::int64_t key = slash == path.npos ? 0 : std::strtoll(path.data() + slash + 1, nullptr, 10);
    respond(question->second, key, response);
    write(client, response);
  }

 private:
  void add_record(const std::string& text, const Options& options) {
    const auto [name, entity] = named(text);
    auto plan = desk_.bind_record(desk_.entity(entity));
    auto statement = query::emit_record(*plan, scope_of(options), query::Dialect::Sqlite);
    add(name, Question::Kind::Record, std::move(plan), std::move(statement), options);
  }

  void add_search(const std::string& text, const Options& options) {
    const auto [name, url] = named(text);
    const QueryText query = query_text(url);
    auto plan = desk_.bind_search(desk_.entity(query.entity), options_of(query.query));
    const auto emit = plan->count ? query::emit_count : query::emit_rows;
    auto statement = emit(*plan, scope_of(options), query::Dialect::Sqlite, query::Reach::All);
    const auto kind = plan->count ? Question::Kind::Count : Question::Kind::Search;
    add(name, kind, std::move(plan), std::move(statement), options).self = "api:v1/" + url;
  }

  Question& add(const std::string& name, Question::Kind kind, std::shared_ptr<const query::Plan> plan,
                query::Statement statement, const Options& options) {
    return questions_.try_emplace("/" + name, kind, std::move(plan), std::move(statement), options).first->second;
  }

  void add_file(const std::string& text) {
    const auto [name, path] = named(text);
    std::ifstream in(path, std::ios::binary);
    if (!in) fail("cannot read " + path);
    files_.emplace("/bare/" + name, std::string(std::istreambuf_iterator<char>(in), {}));
  }

  static query::Scope scope_of(const Options& options) {
    query::Scope scope;
    if (!options.partitions.empty()) scope.partitions = options.partitions.size();
    return scope;
  }

  // Set up as engine/storage sets up its readers.
  std::unique_ptr<Connection> connect(const std::string& path) const {
    auto connection = std::make_unique<Connection>();
    sqlite3* db = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
    connection->db.reset(db);
    if (code != SQLITE_OK) fail("cannot open " + path + ": " + sqlite3_errmsg(db));
    if (!storage::register_functions(db)) fail("cannot register the text functions");
    sqlite3_exec(db, "PRAGMA cache_size = -16384", nullptr, nullptr, nullptr);
    for (const auto& [name, question] : questions_) {
      sqlite3_stmt* statement = nullptr;
      sqlite3_prepare_v3(db, question.statement.sql.text().c_str(), -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
      if (!statement) fail(name + ": " + sqlite3_errmsg(db));
      if (!storage::bind_values(statement, question.values)) fail(name + ": cannot bind its values");
      connection->statements[&question].reset(statement);
    }
    return connection;
  }

  void respond(const Question& question, std::int64_t key, std::string& response) {
    auto connection = connections_.borrow(std::chrono::seconds(60));
    sqlite3_stmt* statement = connection->statements.find(&question)->second.get();
    if (question.key_parameter) sqlite3_bind_int64(statement, question.key_parameter, key);
    connection->json.Clear();
    JsonWriter json(connection->json);
    const bool found = write_body(question, statement, json);
    sqlite3_reset(statement);
    if (!found) {
      response = not_found_;
      return;
    }
    const bool count = question.kind == Question::Kind::Count;
    response = head_of(count ? "text/plain" : "application/json", connection->json.GetSize());
    response.append(connection->json.GetString(), connection->json.GetSize());
  }

  static bool write_body(const Question& question, sqlite3_stmt* statement, JsonWriter& json) {
    const Row row(statement);
    if (question.kind == Question::Kind::Search) {
      write_page(question, statement, json);
      return true;
    }
    if (sqlite3_step(statement) != SQLITE_ROW) return false;
    if (question.kind == Question::Kind::Count) json.Int64(row.integer(0));
    else question.rows.write_record(json, row);
    return true;
  }

  static void write_page(const Question& question, sqlite3_stmt* statement, JsonWriter& json) {
    const Row row(statement);
    json.StartObject();
    write_key(json, "_self");
    write_string(json, question.self);
    write_key(json, "results");
    json.StartArray();
    while (sqlite3_step(statement) == SQLITE_ROW) question.rows.write(json, row);
    json.EndArray();
    json.EndObject();
  }

  static void write(mg_connection* client, const std::string& response) {
    mg_write(client, response.data(), response.size());
  }

  const Desk desk_;
  const std::string authorization_;
  const std::string unauthorized_ = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n";
  const std::string not_found_ = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
  std::map<std::string, std::string, std::less<>> files_;  // whole responses
  std::map<std::string, Question, std::less<>> questions_;
  FifoPool<Connection> connections_;
};

Options read_options(int count, char** arguments) {
  CLI::App program("The floor of ./dev bench", "bench_floor");
  Options options;
  program.add_option("--database", options.database, "The server's SQLite file")->required();
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

int serve(int count, char** arguments) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
  Floor floor(read_options(count, arguments));

  mg_callbacks callbacks{};
  callbacks.begin_request = [](mg_connection* client) {
    static_cast<Floor*>(mg_get_user_data(mg_get_context(client)))->answer(client);
    return 1;
  };
  const char* settings[] = {"listening_ports",
                            "127.0.0.1:0",
                            "num_threads",
                            "64",
                            "enable_keep_alive",
                            "yes",
                            "keep_alive_timeout_ms",
                            "5000",
                            "tcp_nodelay",
                            "1",
                            nullptr};
  mg_init_library(0);
  mg_context* context = mg_start(&callbacks, &floor, settings);
  mg_server_port port{};
  if (!context || mg_get_server_ports(context, 1, &port) != 1) fail("CivetWeb does not start");
  std::printf("listening on http://127.0.0.1:%d\n", port.port);
  std::fflush(stdout);
  int received = 0;
  sigwait(&signals, &received);
  mg_stop(context);
  return 0;
}

}  // namespace
}  // namespace callisto::bench

int main(int count, char** arguments) { return callisto::bench::serve(count, arguments); }
