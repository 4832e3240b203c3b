#include "server_process.h"
#include "engine/base/percent.h"

#include "engine/http/url.h"
#include "tests/support/paths.h"
#include "tests/support/postgres.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace callisto::tests {

namespace {

struct Child {
  pid_t process;
  int output;
};

// What tells a child its database: the settings' own variable. Empty: its data folder decides.
std::string database_of(const std::vector<std::string>& arguments) {
  const auto option = std::find(arguments.begin(), arguments.end(), "--data");
  return is_on_postgres() && option < arguments.end() - 1 ? database_url(option[1]) : std::string();
}

// A descriptor from which `text` can be read, then the end; short enough for a pipe.
int readable(std::string_view text) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  if (write(ends[1], text.data(), text.size()) != static_cast<ssize_t>(text.size())) throw std::runtime_error("write");
  close(ends[1]);
  return ends[0];
}

Child spawn(const std::vector<std::string>& arguments, bool with_errors, std::string_view input = {},
            const std::string& errors = {}) {
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  const int standard_input = readable(input);
  std::vector<char*> argv{const_cast<char*>(program())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const std::string database = database_of(arguments);
  const bool by_main_thread = getpid() == gettid();  // the signal comes with the end of the thread that forked
  const pid_t process = fork();
  if (process == 0) {
    if (by_main_thread) prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is killed leaves nothing behind
    if (!database.empty()) setenv("CALLISTO_DATABASE", database.c_str(), 1);
    dup2(standard_input, 0);
    dup2(pipe_ends[1], 1);
    if (with_errors) dup2(pipe_ends[1], 2);
    if (!errors.empty()) dup2(open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
    if (chdir(test::source_folder().c_str()) == 0) execv(argv[0], argv.data());
    _exit(127);
  }
  close(standard_input);
  close(pipe_ends[1]);
  return {process, pipe_ends[0]};
}

// curl's handle of this thread, which keeps its connections from one request to the next.
CURL* connections() {
  thread_local const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> handle(curl_easy_init(), curl_easy_cleanup);
  return handle.get();
}

std::size_t append_bytes(char* bytes, std::size_t size, std::size_t count, void* target) {
  static_cast<std::string*>(target)->append(bytes, size * count);
  return size * count;
}

std::size_t read_header(char* bytes, std::size_t size, std::size_t count, void* target) {
  const std::string_view line(bytes, size * count);
  const std::size_t colon = line.find(':');
  if (colon != line.npos) {
    std::string name;
    for (const char c : line.substr(0, colon)) name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    std::string_view value = line.substr(colon + 1);
    while (!value.empty() && (value.front() == ' ')) value.remove_prefix(1);
    while (!value.empty() && (value.back() == '\r' || value.back() == '\n')) value.remove_suffix(1);
    (*static_cast<std::map<std::string, std::string>*>(target))[name] = value;
  }
  return size * count;
}

}  // namespace

const char* program() {
  const char* const named = std::getenv("CALLISTO_PROGRAM");
  return named ? named : test::built_program().c_str();
}

bool is_on_postgres() {
  static const char* const kind = std::getenv("CALLISTO_TEST_DATABASE");
  return kind && std::string_view(kind) == "postgresql";
}

std::string database_url(const std::string& data_folder) {
  static std::map<std::string, std::string> urls;
  if (!is_on_postgres()) return "sqlite:" + data_folder + "/desk.db";
  auto& url = urls[data_folder];
  if (url.empty()) url = test::Postgres::running()->new_database();
  return url;
}

Finished run_program(const std::vector<std::string>& arguments, std::string_view input) {
  const Child child = spawn(arguments, true, input);
  Finished finished;
  char buffer[4096];
  for (ssize_t count; (count = read(child.output, buffer, sizeof buffer)) > 0;)
    finished.output.append(buffer, static_cast<std::size_t>(count));
  close(child.output);
  int status = 0;
  waitpid(child.process, &status, 0);
  finished.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return finished;
}

ServerProcess::ServerProcess(std::string data_folder, const std::vector<std::string>& arguments,
                             const std::string& errors) {
  std::vector<std::string> all{"serve", "--set", "listen=127.0.0.1:0", "--data", std::move(data_folder)};
  if (errors.empty()) all.insert(all.end(), {"--set", "log.access=false"});  // ours is for what went wrong
  if (std::getenv("CALLISTO_TEST_WITHOUT_CACHES")) all.insert(all.end(), {"--set", "caches=false"});
  all.insert(all.end(), {"--set", "http.hosts=a,desk"});  // what requests that are written by hand name
  all.insert(all.end(), arguments.begin(), arguments.end());
  const Child child = spawn(all, false, {}, errors);
  process_ = child.process;
  output_ = child.output;
  // The server prints one line with "listening on http://HOST:PORT" (or https) when it is ready.
  while (read_byte()) {
    const std::size_t start = printed_.find("listening on http");
    if (!printed_.ends_with('\n') || start == std::string::npos) continue;
    base_url_ = printed_.substr(start + 13);
    base_url_.erase(base_url_.find_first_of(" \n\r"));
    return;
  }
  throw std::runtime_error("the server did not start: " + printed_);
}

bool ServerProcess::read_byte() {
  char byte = 0;
  pollfd wait{output_, POLLIN, 0};
  if (output_ < 0 || poll(&wait, 1, 120'000) != 1 || read(output_, &byte, 1) != 1) return false;
  printed_ += byte;
  return true;
}

std::string ServerProcess::printed_until(std::string_view text) {
  while ((text.empty() || printed_.find(text) == printed_.npos) && read_byte()) {}
  return printed_;
}

ServerProcess::~ServerProcess() { stop(); }

void ServerProcess::kill_at_once() {
  kill(process_, SIGKILL);
  stop();
}

int ServerProcess::stop() {
  if (process_ < 0) return 0;
  kill(process_, SIGTERM);
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  while (read_byte()) {}
  close(output_);
  output_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::optional<Answer> ServerProcess::try_send(std::string_view method, std::string_view target, const Headers& headers,
                                              std::string_view body) const {
  Answer answer;
  CURL* const curl = connections();
  curl_easy_reset(curl);
  const std::string url = base_url_ + std::string(target);
  const std::string verb(method);
  const std::string content(body);
  curl_slist* list = curl_slist_append(nullptr, "Expect:");
  for (const std::string& header : headers) list = curl_slist_append(list, header.c_str());
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_PROXY, "");
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, verb.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, list);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT, 60L);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 0L);  // a certificate of the test's own
  if (verb == "HEAD") curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
  if (!content.empty()) {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, static_cast<long>(content.size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, content.data());
  }
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, append_bytes);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer.body);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, read_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &answer.headers);
  const CURLcode result = curl_easy_perform(curl);
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  curl_slist_free_all(list);
  if (result != CURLE_OK) return std::nullopt;
  answer.status = static_cast<int>(status);
  return answer;
}

Answer ServerProcess::send(std::string_view method, std::string_view target, const Headers& headers,
                           std::string_view body) const {
  auto answer = try_send(method, target, headers, body);
  if (!answer) throw std::runtime_error("no answer from " + base_url_ + std::string(target));
  return *std::move(answer);
}

Answer ServerProcess::login(std::string_view form) const {
  return send("POST", "/service.web/oauth/login", {"Content-Type: application/x-www-form-urlencoded"}, form);
}

std::string ServerProcess::token(std::string_view login_name, std::string_view scope) const {
  const Answer answer = login("client_id=sample-app&grant_type=password&username=" + std::string(login_name) +
                              "&password=callisto&scope=" + std::string(scope));
  INFO(answer.body);
  REQUIRE(answer.status == 200);
  const auto body = json::parse(answer.body);
  REQUIRE(body);
  return body->find("access_token")->text();
}

const ServerProcess& sample_server() {
  static const TemporaryFolder folder;
  // Each person signs in once for all tests, which take longer than tokens usually last.
  static const ServerProcess server(folder.path(), {"--samples", "--set", "oauth.access_seconds=7200"});
  return server;
}

std::string encoded(const Query& query) {
  std::string text;
  for (const auto& [name, value] : query) {
    text += text.empty() ? '?' : '&';
    append_encoded(text, name);
    if (value.empty()) continue;
    text += '=';
    append_encoded(text, value);
  }
  return text;
}

Answer Client::get(std::string_view path, const Query& query) const {
  return server_.send("GET", "/service.api/api/" + std::string(path) + encoded(query),
                      {"Authorization: Bearer " + token_});
}

Answer Client::send(std::string_view method, std::string_view path, std::string_view body,
                    ServerProcess::Headers headers) const {
  headers.push_back("Authorization: Bearer " + token_);
  return server_.send(method, "/service.api/api/" + std::string(path), headers, body);
}

json::Node Client::get_json(std::string_view path, const Query& query) const {
  const Answer answer = get(path, query);
  INFO(path << encoded(query) << " -> " << answer.status << " " << answer.body.substr(0, 2000));
  REQUIRE(answer.status == 200);
  auto body = json::parse(answer.body, json::Limits{32, 1'000'000});
  REQUIRE(body);
  return *std::move(body);
}

namespace {

const Client& sample_client(std::string_view login) {
  static std::map<std::string, Client, std::less<>> clients;
  auto client = clients.find(login);
  if (client == clients.end()) {
    const char* scope = login.starts_with("user") ? "session-type:User" : "session-type:Analyst";
    client = clients.emplace(login, Client(sample_server(), sample_server().token(login, scope))).first;
  }
  return client->second;
}

}  // namespace

Answer get(std::string_view login, std::string_view path, const Query& query) {
  return sample_client(login).get(path, query);
}

json::Node get_json(std::string_view login, std::string_view path, const Query& query) {
  return sample_client(login).get_json(path, query);
}

}  // namespace callisto::tests
