// A running server for tests: its own process, port 0, a temporary data folder; stopped by its process id and the
// folder removed at the end. And a small HTTP client. One thread.
#pragma once

#include "engine/json/read.h"
#include "tests/support/temporary_folder.h"

#include <sys/types.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::tests {

struct Answer {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

using test::TemporaryFolder;

// With CALLISTO_TEST_DATABASE=postgresql in the environment, every data folder that a test names has an empty database
// of its own, on a PostgreSQL server of this program. First use: the main thread. What only SQLite has is tagged
// [sqlite].
bool is_on_postgres();
std::string database_url(const std::string& data_folder);

// The program under test: the one built beside these tests, or what CALLISTO_PROGRAM in the environment names (another
// build of it, for ./dev threads). An absolute path.
const char* program();

// Runs the program with these arguments to its end. Output is standard output and standard error together.
struct Finished {
  int exit_status = 0;
  std::string output;
};
Finished run_program(const std::vector<std::string>& arguments, std::string_view input = {});

class ServerProcess {
 public:
  // `arguments` follow `serve --set listen=127.0.0.1:0 --data FOLDER`. `errors`: a file for standard error; empty:
  // ours, and then without the access log.
  ServerProcess(std::string data_folder, const std::vector<std::string>& arguments, const std::string& errors = {});
  ~ServerProcess();

  int stop();           // SIGTERM; the exit status
  void kill_at_once();  // SIGKILL
  const std::string& base_url() const { return base_url_; }
  pid_t process() const { return process_; }
  // What stands on standard output so far, up to `text` at least; empty: to the end, of a server that was stopped.
  std::string printed_until(std::string_view text);

  using Headers = std::vector<std::string>;  // "Name: value"
  Answer send(std::string_view method, std::string_view target, const Headers& headers = {},
              std::string_view body = {}) const;
  // Nothing where the server does not answer. Any thread, as send().
  std::optional<Answer> try_send(std::string_view method, std::string_view target, const Headers& headers = {},
                                 std::string_view body = {}) const;
  Answer login(std::string_view form) const;
  std::string token(std::string_view login, std::string_view scope = "session-type:Analyst") const;

 private:
  bool read_byte();
  pid_t process_ = -1;
  int output_ = -1;
  std::string base_url_;
  std::string printed_;
};

// One server with the sample data, shared by the tests of this program.
const ServerProcess& sample_server();

using Query = std::vector<std::pair<std::string, std::string>>;
std::string encoded(const Query& query);

// GET below the api root of a server, with a token: client.get("v1/call", {{"$top", "3"}}).
class Client {
 public:
  Client(const ServerProcess& server, std::string token) : server_(server), token_(std::move(token)) {}
  Answer get(std::string_view path, const Query& query = {}) const;
  json::Node get_json(std::string_view path, const Query& query = {}) const;  // requires 200
  Answer send(std::string_view method, std::string_view path, std::string_view body,
              ServerProcess::Headers headers = {"Content-Type: application/json"}) const;

 private:
  const ServerProcess& server_;
  std::string token_;
};

// The same of the sample server, signed in as `login`.
Answer get(std::string_view login, std::string_view path, const Query& query = {});
json::Node get_json(std::string_view login, std::string_view path, const Query& query = {});

}  // namespace callisto::tests
