#include "tests/support/postgres.h"

#include <fcntl.h>
#include <grp.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <vector>

namespace callisto::test {
namespace {

namespace fs = std::filesystem;

// Debian keeps the server's programs apart, by version; elsewhere they may stand in the path.
std::string find_programs() {
  std::string best;
  std::error_code ignored;
  for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", ignored))
    if (fs::exists(version.path() / "bin/initdb") && version.path().string() > best) best = version.path().string();
  if (!best.empty()) return best + "/bin";
  const char* path = std::getenv("PATH");
  std::string folder;
  for (const char* c = path ? path : "";; ++c) {
    if (*c && *c != ':') {
      folder += *c;
      continue;
    }
    if (!folder.empty() && fs::exists(folder + "/initdb") && fs::exists(folder + "/postgres")) return folder;
    folder.clear();
    if (!*c) return {};
  }
}

// Becomes `program`, as another user where there is one, its output in a file.
[[noreturn]] void become(const std::vector<std::string>& command, int user, int group, const std::string& log) {
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  if (user >= 0) {
    const auto to_group = static_cast<gid_t>(group);
    if (setgroups(1, &to_group) != 0 || setgid(to_group) != 0 || setuid(static_cast<uid_t>(user)) != 0) _exit(126);
  }
  prctl(PR_SET_PDEATHSIG, SIGINT);  // after the change of user, which clears it
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  if (chdir("/") == 0) execv(arguments[0], arguments.data());
  _exit(127);
}

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

namespace {

bool is_installed() {
  static const bool installed = [] {
    if (!find_programs().empty()) return true;
    std::cerr << "WARNING: PostgreSQL is not installed (apt install postgresql): its tests are skipped\n";
    return false;
  }();
  return installed;
}

}  // namespace

Postgres* Postgres::running() {
  if (!is_installed()) return nullptr;
  static Postgres server;
  return &server;
}

std::unique_ptr<Postgres> Postgres::make() {
  return std::unique_ptr<Postgres>(is_installed() ? new Postgres : nullptr);
}

Postgres::Postgres() : Postgres(nullptr) {}

Postgres::Postgres(const Postgres* primary) : programs_(find_programs()) {
  std::string pattern = (fs::temp_directory_path() / "callisto-pg-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder for PostgreSQL");
  folder_ = pattern;
  if (geteuid() == 0) {
    const passwd* account = getpwnam("postgres");
    if (!account) account = getpwnam("nobody");
    if (!account) throw std::runtime_error("PostgreSQL does not run as root, and there is no user nobody");
    user_ = static_cast<int>(account->pw_uid);
    group_ = static_cast<int>(account->pw_gid);
    if (chown(folder_.c_str(), account->pw_uid, account->pw_gid) != 0) throw std::runtime_error("cannot chown");
  }
  watch_over_folder();
  if (primary) copy_cluster(*primary);
  else make_cluster();
  serve();
}

std::unique_ptr<Postgres> Postgres::make_standby() {
  if (!fs::exists(programs_ + "/pg_basebackup")) return nullptr;
  return std::unique_ptr<Postgres>(new Postgres(this));
}

void Postgres::promote() { execute("postgres", "SELECT pg_promote()"); }

int Postgres::spawn(const std::vector<std::string>& command) {
  const pid_t child = fork();
  if (child == 0) become(command, user_, group_, folder_ + "/log");
  return child;
}

void Postgres::make_cluster() {
  run({programs_ + "/initdb", "-D", folder_ + "/data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C",
       "--no-sync"});
}

void Postgres::copy_cluster(const Postgres& primary) {
  run({programs_ + "/pg_basebackup", "-D", folder_ + "/data", "-h", primary.folder_, "-U", "postgres", "-R", "-X",
       "stream", "-c", "fast", "--no-sync"});
}

void Postgres::run(const std::vector<std::string>& command) {
  int status = 0;
  if (waitpid(spawn(command), &status, 0) < 0 || status != 0)
    throw std::runtime_error(command[0] + " failed: " + text_of(folder_ + "/log"));
}

void Postgres::serve() {
  std::vector<std::string> command{programs_ + "/postgres", "-D", folder_ + "/data", "-k", folder_, "-F"};
  for (const char* setting :
       {"listen_addresses=", "max_connections=1000", "shared_buffers=64MB", "full_page_writes=off", "autovacuum=off"})
    command.insert(command.end(), {"-c", setting});
  process_ = spawn(command);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (PQping(url_of("postgres").c_str()) != PQPING_OK) {
    int status = 0;
    if (waitpid(process_, &status, WNOHANG) == process_ || std::chrono::steady_clock::now() > until)
      throw std::runtime_error("PostgreSQL did not start: " + text_of(folder_ + "/log"));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void Postgres::stop() {
  int status = 0;
  if (process_ > 0 && kill(process_, SIGINT) == 0) waitpid(process_, &status, 0);
  process_ = 0;
}

namespace {

void signal_all(int server, int signal) {
  const std::string id = std::to_string(server);
  kill(server, signal);
  std::ifstream children("/proc/" + id + "/task/" + id + "/children");
  for (int child = 0; children >> child;) kill(child, signal);
}

}  // namespace

void Postgres::pause() { signal_all(process_, SIGSTOP); }

void Postgres::go_on() { signal_all(process_, SIGCONT); }

void Postgres::restart() {
  stop();
  serve();
}

// The server ends with this program however that ends; then somebody has to remove its folder.
void Postgres::watch_over_folder() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  still_here_ = ends[1];
  if (fork() != 0) {
    close(ends[0]);
    return;
  }
  setsid();
  dup2(ends[0], STDIN_FILENO);
  close_range(STDERR_FILENO + 1, ~0U, 0);  // nobody waits for the end of a pipe that we happen to hold
  char byte = 0;
  if (read(STDIN_FILENO, &byte, 1) != 0) _exit(0);  // an orderly end
  for (int i = 0; i < 500 && fs::exists(folder_ + "/data/postmaster.pid"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  _exit(0);
}

Postgres::~Postgres() {
  if (write(still_here_, "", 1) != 1) std::cerr << "WARNING: " << folder_ << " may stay behind\n";
  stop();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string Postgres::url_of(const std::string& database) const {
  return "postgresql://postgres@/" + database + "?host=" + folder_;
}

std::string Postgres::new_database() {
  const std::string name = "t" + std::to_string(++databases_);
  execute("postgres",
          "CREATE DATABASE " + name + " TEMPLATE template0 LOCALE 'C.UTF-8' LOCALE_PROVIDER icu ICU_LOCALE 'en-US'");
  return url_of(name);
}

std::vector<std::string> Postgres::select(const std::string& url, const std::string& sql) {
  const std::unique_ptr<PGconn, decltype(&PQfinish)> connection(PQconnectdb(url.c_str()), PQfinish);
  const std::unique_ptr<PGresult, decltype(&PQclear)> result(PQexec(connection.get(), sql.c_str()), PQclear);
  if (PQresultStatus(result.get()) != PGRES_TUPLES_OK) throw std::runtime_error(PQerrorMessage(connection.get()));
  std::vector<std::string> values;
  for (int row = 0; row < PQntuples(result.get()); ++row) values.emplace_back(PQgetvalue(result.get(), row, 0));
  return values;
}

void Postgres::execute(const std::string& database, const std::string& sql) {
  PGconn* connection = PQconnectdb(url_of(database).c_str());
  PGresult* result = PQexec(connection, sql.c_str());
  const auto status = PQresultStatus(result);
  const std::string problem = PQerrorMessage(connection);
  PQclear(result);
  PQfinish(connection);
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) throw std::runtime_error(problem);
}

}  // namespace callisto::test
