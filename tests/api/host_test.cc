// The host has less than is wished for: nobody reads the log, few threads, descriptors, memory or bytes of a file.
#include "server_process.h"
#include "tests/support/paths.h"
#include "tests/unit/http/raw_client.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

namespace {

using namespace callisto;
using namespace callisto::tests;
using Catch::Contains;

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A named pipe that is open for reading, with as little room as there can be.
class UnreadPipe {
 public:
  explicit UnreadPipe(const std::string& path) {
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    descriptor_ = open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    REQUIRE(descriptor_ >= 0);
    fcntl(descriptor_, F_SETPIPE_SZ, 4096);
  }
  ~UnreadPipe() { close(descriptor_); }
  UnreadPipe(const UnreadPipe&) = delete;
  UnreadPipe& operator=(const UnreadPipe&) = delete;
  std::string read_until(const std::string& words) const {
    std::string text;
    pollfd wait{descriptor_, POLLIN, 0};
    char bytes[65536];
    while (text.find(words) == text.npos && poll(&wait, 1, 20'000) == 1)
      if (const auto count = read(descriptor_, bytes, sizeof bytes); count > 0)
        text.append(bytes, static_cast<std::size_t>(count));
    return text;
  }

 private:
  int descriptor_;
};

std::int64_t metric(const ServerProcess& server, const std::string& name) {
  const std::string text = server.send("GET", "/metrics").body;
  const auto at = text.find("\n" + name + " ");
  REQUIRE(at != text.npos);
  return std::stoll(text.substr(at + name.size() + 2));
}

// What a process that is started while it lives gets.
class Limited {
 public:
  Limited(__rlimit_resource what, rlim_t soft, rlim_t hard) : what_(what) {
    REQUIRE(getrlimit(what, &before_) == 0);
    const rlimit less{soft, hard};
    REQUIRE(setrlimit(what, &less) == 0);
  }
  ~Limited() { setrlimit(what_, &before_); }
  Limited(const Limited&) = delete;
  Limited& operator=(const Limited&) = delete;

 private:
  __rlimit_resource what_;
  rlimit before_{};
};

struct Ended {
  bool was_up = false, was_killed = false;
  int status = 0;
  std::string output;
};

// Serves until it listens, or ends by itself. `prepare` runs in the child.
Ended serve_under(const std::string& data, const std::function<void()>& prepare) {
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  const pid_t process = fork();
  if (process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prepare();
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    if (chdir(test::source_folder().c_str()) == 0)
      execl(program(), program(), "serve", "--listen", "127.0.0.1:0", "--data", data.c_str(), nullptr);
    _exit(127);
  }
  close(ends[1]);
  Ended ended;
  char bytes[4096];
  for (ssize_t count; (count = read(ends[0], bytes, sizeof bytes)) > 0;) {
    ended.output.append(bytes, static_cast<std::size_t>(count));
    if (ended.was_up || ended.output.find("listening on http") == std::string::npos) continue;
    ended.was_up = true;
    kill(process, SIGTERM);
  }
  close(ends[0]);
  int status = 0;
  waitpid(process, &status, 0);
  ended.was_killed = WIFSIGNALED(status);
  ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return ended;
}

void limit(__rlimit_resource what, rlim_t value) {
  const rlimit less{value, value};
  setrlimit(what, &less);
}

}  // namespace

TEST_CASE("a log that nobody reads holds up neither requests nor the end, and tells what is missing", "[sqlite]") {
  const TemporaryFolder folder;
  const UnreadPipe log(folder.path() + "/log");
  ServerProcess server(folder.path() + "/desk", {}, folder.path() + "/log");
  const std::string target = "/" + std::string(390, 'x');
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 3'000; ++i) REQUIRE(server.send("GET", target).status == 404);
    CHECK(metric(server, "callisto_log_lines_dropped_total") > 0);
    if (round == 0) CHECK_THAT(log.read_until("of the log were dropped here"), Contains(target));
  }
  CHECK(server.stop() == 0);
}

TEST_CASE("signals that mean something to other programs do not end a server", "[sqlite]") {
  const TemporaryFolder folder;
  ServerProcess server(folder.path(), {});
  for (const int signal : {SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE}) kill(server.process(), signal);
  CHECK(server.send("GET", "/healthz").status == 200);
  CHECK(server.stop() == 0);
}

// [unsanitized]: the sanitizers take address space and threads of their own.
namespace {

bool is_open_to_all(std::filesystem::path path) {
  namespace fs = std::filesystem;
  if ((fs::status(path).permissions() & fs::perms::others_read) == fs::perms::none) return false;
  while (path.has_relative_path()) {
    path = path.parent_path();
    if ((fs::status(path).permissions() & fs::perms::others_exec) == fs::perms::none) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("with few threads a server serves by fewer, or says what it lacks", "[sqlite][unsanitized]") {
  if (geteuid() != 0) return;  // a user of its own is needed, of whom nothing else runs
  if (!is_open_to_all(program()) || !is_open_to_all(test::source_folder() + "/entities/call.lua")) return;
  constexpr uid_t nobody = 64'123;
  const TemporaryFolder folder;
  REQUIRE(chmod(folder.path().c_str(), 0755) == 0);
  for (const rlim_t threads : {10, 30, 45, 60, 75, 100, 150, 300, 600}) {
    const std::string data = folder.path() + "/desk" + std::to_string(threads);
    REQUIRE((mkdir(data.c_str(), 0700) == 0 && chown(data.c_str(), nobody, nobody) == 0));
    for (int round = 0; round < 3; ++round) {
      const Ended ended = serve_under(data, [&] {
        limit(RLIMIT_NPROC, threads);
        if (setgid(nobody) != 0 || setuid(nobody) != 0) _exit(126);
      });
      INFO(threads << ": " << ended.output);
      CHECK_FALSE(ended.was_killed);
      CHECK(ended.status == (ended.was_up ? 0 : 1));
      CHECK(ended.was_up == (threads >= 60));
      if (threads < 600) CHECK_THAT(ended.output, Contains("`ulimit -u` (LimitNPROC) is " + std::to_string(threads)));
    }
  }
}

TEST_CASE("with little memory a server serves by fewer threads, or says what it lacks", "[sqlite][unsanitized]") {
  const TemporaryFolder folder;
  for (const rlim_t mib : {150, 156, 168, 180, 190, 200, 204, 220, 300, 400, 600, 900, 1500}) {
    const Ended ended =
        serve_under(folder.path() + "/desk" + std::to_string(mib), [&] { limit(RLIMIT_AS, mib * 1024 * 1024); });
    INFO(mib << ": " << ended.output);
    CHECK_FALSE(ended.was_killed);
    CHECK(ended.status == (ended.was_up ? 0 : 1));
    if (!ended.was_up || mib < 400) CHECK_THAT(ended.output, Contains("`ulimit -v` (LimitAS) is"));
  }
}

TEST_CASE("with few descriptors probes are answered beside many half requests", "[sqlite]") {
  const TemporaryFolder folder;
  for (const rlim_t descriptors : {64, 100, 256}) {
    std::unique_ptr<ServerProcess> server;
    const std::string log = folder.path() + "/log" + std::to_string(descriptors);
    {
      // A limit that this process lowered for itself it might not be allowed to raise again.
      const std::string wrapper = folder.path() + "/few" + std::to_string(descriptors), plain = program();
      std::ofstream(wrapper) << "#!/bin/sh\nulimit -n " << descriptors << "\nexec " << plain << " \"$@\"\n";
      std::filesystem::permissions(wrapper, std::filesystem::perms::owner_all);
      setenv("CALLISTO_PROGRAM", wrapper.c_str(), 1);
      server = std::make_unique<ServerProcess>(folder.path() + "/desk" + std::to_string(descriptors),
                                               std::vector<std::string>{}, log);
      setenv("CALLISTO_PROGRAM", plain.c_str(), 1);
    }
    CHECK_THAT(content(log), Contains("`ulimit -n` (LimitNOFILE) is " + std::to_string(descriptors)));
    const int port = std::stoi(server->base_url().substr(server->base_url().rfind(':') + 1));
    std::vector<std::unique_ptr<test::RawClient>> half;
    for (int i = 0; i < 300; ++i) {
      half.push_back(std::make_unique<test::RawClient>(port));
      half.back()->send("GET /healthz HTT");
    }
    INFO(descriptors);
    for (int i = 0; i < 3; ++i) {
      const auto answer = server->try_send("GET", "/healthz", {"Connection: close"});
      REQUIRE(answer);
      CHECK(answer->status == 200);
    }
    CHECK(server->stop() == 0);
  }
}

TEST_CASE("the soft limit of descriptors is raised, and far too few are refused with the number", "[sqlite]") {
  const TemporaryFolder folder;
  std::unique_ptr<ServerProcess> server;
  {
    rlimit now{};
    REQUIRE(getrlimit(RLIMIT_NOFILE, &now) == 0);
    const Limited few(RLIMIT_NOFILE, 100, now.rlim_max);
    server = std::make_unique<ServerProcess>(folder.path() + "/desk", std::vector<std::string>{});
    const std::string limits = content("/proc/" + std::to_string(server->process()) + "/limits");
    CHECK_THAT(limits, !Contains("Max open files            100 "));
  }
  for (const rlim_t descriptors : {8, 16, 24, 32}) {
    const Ended ended = serve_under(folder.path() + "/other", [&] { limit(RLIMIT_NOFILE, descriptors); });
    INFO(descriptors << ": " << ended.output);
    CHECK_FALSE(ended.was_killed);
    CHECK(ended.status == 1);
    CHECK_THAT(ended.output, Contains("`ulimit -n` (LimitNOFILE) is " + std::to_string(descriptors)));
  }
}

TEST_CASE("a limit of file size is answered as a full disk is", "[sqlite]") {
  const TemporaryFolder folder;
  std::unique_ptr<ServerProcess> server;
  { ServerProcess first(folder.path(), {"--samples"}); }
  {
    const Limited small(RLIMIT_FSIZE, 64 * 1024, RLIM_INFINITY);
    server = std::make_unique<ServerProcess>(folder.path(), std::vector<std::string>{});
  }
  const Answer answer = server->login(
      "client_id=sample-app&grant_type=password&username=admin&password=callisto&"
      "scope=session-type:Analyst");
  CHECK(answer.status >= 500);
  CHECK(server->send("GET", "/healthz").status == 200);
  CHECK(server->stop() == 0);
}
