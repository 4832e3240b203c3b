// What the log writes, keeps and survives.
#include "engine/base/running_digest.h"
#include "tests/unit/audit/support.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdio>
#include <map>
#include <set>
#include <thread>

using namespace callisto;
using namespace callisto::audit;

TEST_CASE("a line says who did what, and carries the hash of the one before") {
  const Folder folder;
  testing::FixedClock clock;
  Event event = sign_in(7);
  event.kind = Kind::RefreshReuse;
  event.token = "crt_secret";
  event.entity = "session";
  event.key = 107;
  event.action = "end";
  event.reason = "the token was used before";
  open(folder.log(), clock)->note(event);
  const auto lines = lines_of(read(folder.log()));
  REQUIRE(lines.size() == 2);
  CHECK(member(lines[0], "event") == "log-started");
  CHECK(member(lines[0], "previous") == std::string(64, '0'));
  CHECK(lines[1].starts_with(
      R"({"time":"2026-03-15T07:00:00.000Z","sequence":2,"event":"refresh-reuse","person":7,"client":"app",)"
      R"("session":107,"address":"192.0.2.1","entity":"session","key":107,"action":"end","token":")" +
      sha256_hex("crt_secret").substr(0, 8) + R"(","reason":"the token was used before","previous":")"));
  CHECK(member(lines[1], "previous") == member(lines[0], "hash"));
  CHECK(lines[1].find("secret") == std::string::npos);
}

TEST_CASE("a shell can check a hash: it is that of the line up to the hash") {
  const Folder folder;
  testing::FixedClock clock;
  open(folder.log(), clock)->note(sign_in(7));
  for (const std::string& line : lines_of(read(folder.log()))) {
    CHECK(sha256_hex(line.substr(0, line.find(",\"hash\":"))) == member(line, "hash"));
  }
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");  // FIPS 180-2 B.1
}

TEST_CASE("the log and its head are for their owner alone") {
  const Folder folder;
  testing::FixedClock clock;
  const auto log = open(folder.log(), clock);
  log->note(sign_in(7));
  for (const std::string& path : {folder.log(), head_path(folder.log())}) {
    struct stat status {};
    REQUIRE(stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
  }
}

TEST_CASE("what an attacker sends stays inside its line and is UTF-8") {
  struct Case {
    std::string sent, kept;
  };
  const std::vector<Case> cases{
      {"a\r\nb", "a\r\nb"},
      {"\",\"person\":1,\"x\":\"", "\",\"person\":1,\"x\":\""},
      {std::string("a\0b", 3), std::string("a\0b", 3)},
      {"\x1B[31mred\x07", "\x1B[31mred\x07"},  // escaped by JSON
      {"\x7F", "\xEF\xBF\xBD"},
      {"\xC2\x9B"
       "31m",
       "\xEF\xBF\xBD"
       "31m"},
      {"\xF0\x9F\x8C\x99 moon", "\xF0\x9F\x8C\x99 moon"},
      {"a\xFFz", "a\xEF\xBF\xBDz"},
      {"\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD"},                  // overlong
      {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},  // a surrogate
      {"\xF0\x9F\x8C", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},  // cut
      {"\xC3", "\xEF\xBF\xBD"},
      {std::string(81, 'a'), std::string(80, 'a') + "..."},
      {std::string(70'000, '\xFF'),
       [] {
         std::string text;
         for (int i = 0; i < 80; ++i) text += "\xEF\xBF\xBD";
         return text + "...";
       }()},
  };
  const Folder folder;
  testing::FixedClock clock;
  {
    const auto log = open(folder.log(), clock);
    for (const Case& each : cases) {
      Event event;
      event.kind = Kind::SignInRefused;
      event.login = event.client = event.address = event.reason = event.entity = event.action = each.sent;
      log->note(event);
    }
  }
  const std::string bytes = read(folder.log());
  CHECK(text::is_utf8(bytes));
  const auto lines = lines_of(bytes);
  REQUIRE(lines.size() == cases.size() + 1);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    INFO(lines[i + 1]);
    CHECK(member(lines[i + 1], "login") == cases[i].kept);
    CHECK(member(lines[i + 1], "event") == "sign-in-refused");
    CHECK(member(lines[i + 1], "person") == "(none)");
    CHECK(lines[i + 1].size() < 16 * 1024);
    for (const char c : lines[i + 1]) CHECK(static_cast<unsigned char>(c) >= 0x20);
  }
  CHECK(problem_of(check(folder.log())) == "none");
}

TEST_CASE("eight threads leave one good chain with every event in it") {
  const Folder folder;
  const SystemClock clock;
  constexpr int threads = 8, each = 100;
  {
    const auto log = open(folder.log(), clock);
    std::vector<std::thread> writers;
    for (int i = 0; i < threads; ++i)
      writers.emplace_back([&log, i] {
        for (int k = 0; k < each; ++k) log->note(sign_in(i * each + k));
      });
    for (std::thread& writer : writers) writer.join();
    CHECK(log->lost() == 0);
  }
  const Report report = check(folder.log());
  CHECK(problem_of(report) == "none");
  CHECK(report.lines == threads * each + 1);
  std::set<std::string> persons;
  for (const std::string& line : lines_of(read(folder.log()))) persons.insert(member(line, "person"));
  CHECK(persons.size() == threads * each + 1);  // and the first line has none
  CHECK(read_head(head_path(folder.log()))->sequence == threads * each + 1);
}

TEST_CASE("a log that is opened again goes on with its chain") {
  const Folder folder;
  testing::FixedClock clock;
  for (int i = 0; i < 3; ++i) open(folder.log(), clock)->note(sign_in(i));
  const Report report = check(folder.log());
  CHECK(problem_of(report) == "none");
  CHECK(report.lines == 4);
  CHECK(report.last == read_head(head_path(folder.log())));
}

TEST_CASE("a torn end stays, is told by the next line, and the chain goes on") {
  struct Case {
    std::string end;
    bool is_told;
  };
  const Folder whole;
  testing::FixedClock clock;
  {
    const auto log = open(whole.log(), clock);
    log->note(sign_in(1));
    log->note(sign_in(2));
  }
  const std::string bytes = read(whole.log());
  const std::size_t last = bytes.rfind('\n', bytes.size() - 2) + 1;
  std::vector<std::string> files;
  for (std::size_t size = last + 1; size < bytes.size() - 1; ++size) files.push_back(bytes.substr(0, size));
  files.push_back(bytes + std::string(4096, '\0'));  // a power cut that left a block of zeros
  files.push_back(bytes + "\n");
  files.push_back(bytes + "\n\nx\n");
  for (std::size_t size = 1; size < 100; ++size) files.push_back(bytes.substr(0, size));  // the first line of all
  for (const std::string& file : files) {
    INFO(file);
    const Folder folder;
    write(folder.log(), file);
    CHECK(check(folder.log()).broken);
    open(folder.log(), clock)->note(sign_in(3));
    const std::string now = read(folder.log());
    CHECK(now.starts_with(file));
    const auto lines = lines_of(now);
    CHECK(member(lines[lines.size() - 2], "event") == "log-damaged");
    CHECK(member(lines.back(), "person") == "3");
    const Report report = check(folder.log());
    CHECK(problem_of(report) == "none");
    CHECK(report.torn == 1);
    // What is torn is part of the chain from then on.
    std::string altered = now;
    altered[file.size() - 1] = altered[file.size() - 1] == '!' ? '?' : '!';
    write(folder.log(), altered);
    CHECK(check(folder.log()).broken);
  }
}

TEST_CASE("a last line that lacks but its newline is whole") {
  const Folder folder;
  testing::FixedClock clock;
  open(folder.log(), clock)->note(sign_in(1));
  const std::string bytes = read(folder.log());
  write(folder.log(), bytes.substr(0, bytes.size() - 1));
  CHECK(problem_of(check(folder.log())) == "none");
  open(folder.log(), clock)->note(sign_in(2));
  CHECK(read(folder.log()).starts_with(bytes));
  const Report report = check(folder.log());
  CHECK(problem_of(report) == "none");
  CHECK(report.lines == 3);
  CHECK(report.torn == 0);
}

TEST_CASE("what was taken from the end while nobody wrote is told and cannot be made up for") {
  const Folder folder;
  testing::FixedClock clock;
  {
    const auto log = open(folder.log(), clock);
    for (int i = 1; i < 5; ++i) log->note(sign_in(i));
  }
  auto lines = lines_of(read(folder.log()));
  lines.resize(3);
  write(folder.log(), joined(lines));
  CHECK(problem_of(check(folder.log())) == "removed: the log continued to line 5 of the chain, the file ends at 3");
  open(folder.log(), clock)->note(sign_in(9));
  lines = lines_of(read(folder.log()));
  REQUIRE(lines.size() == 5);
  CHECK(member(lines[3], "event") == "log-damaged");
  CHECK(member(lines[3], "sequence") == "6");
  CHECK(member(lines[3], "reason") == "the lines 4 to 5 are missing");
  const Report report = check(folder.log());
  REQUIRE(report.broken);
  CHECK(report.broken->line == 4);
  CHECK(report.broken->what == "removed: 2 before this one");
}

TEST_CASE("a renamed log is followed by a new one that goes on with the chain") {
  const Folder folder;
  testing::FixedClock clock;
  const std::string old = folder.file("audit-1.jsonl");
  SECTION("while the server runs") {
    const auto log = open(folder.log(), clock);
    log->note(sign_in(1));
    std::filesystem::rename(folder.log(), old);
    log->note(sign_in(2));
  }
  SECTION("while it stands still") {
    open(folder.log(), clock)->note(sign_in(1));
    std::filesystem::rename(folder.log(), old);
    open(folder.log(), clock)->note(sign_in(2));
  }
  const auto lines = lines_of(read(folder.log()));
  REQUIRE(lines.size() == 2);
  CHECK(member(lines[0], "event") == "log-started");
  CHECK(member(lines[0], "sequence") == "3");
  const auto head = read_head(head_path(folder.log()));
  const Report alone = check(folder.log());
  CHECK(problem_of(alone) == "none");
  CHECK(alone.before.sequence == 2);
  const Report both = check({old, folder.log()}, head);
  CHECK(problem_of(both) == "none");
  CHECK(both.lines == 4);
  CHECK(check({folder.log(), old}).broken);
  write(old, joined({lines_of(read(old))[0]}));
  CHECK(check({old, folder.log()}, head).broken);
}

TEST_CASE("files renamed while many threads write hold one chain together") {
  const Folder folder;
  const SystemClock clock;
  std::vector<std::string> files;
  {
    const auto log = open(folder.log(), clock);
    std::vector<std::thread> writers;
    for (int i = 0; i < 4; ++i)
      writers.emplace_back([&log] {
        for (int k = 0; k < 100; ++k) log->note(sign_in(k));
      });
    for (int i = 0; i < 5; ++i) {
      log->note(sign_in(i));
      files.push_back(folder.file("audit-" + std::to_string(i) + ".jsonl"));
      std::filesystem::rename(folder.log(), files.back());
    }
    for (std::thread& writer : writers) writer.join();
    log->note(sign_in(1));
  }
  files.push_back(folder.log());
  const Report report = check(files, read_head(head_path(folder.log())));
  CHECK(problem_of(report) == "none");
  CHECK(report.lines == 4 * 100 + 5 + 1 + 6);  // and a first line in each file
}

TEST_CASE("events noted together are a line each, in their order, and on disk when that returns") {
  const Folder folder;
  testing::FixedClock clock;
  const auto log = open(folder.log(), clock);
  std::vector<Event> events;
  for (int i = 0; i < 1200; ++i) events.push_back(sign_in(i));
  log->note_all(events);
  log->note_all({});
  CHECK(read_head(head_path(folder.log()))->sequence == 1201);  // the head names only what is on disk
  const Report report = check(folder.log());
  CHECK(problem_of(report) == "none");
  const auto lines = lines_of(read(folder.log()));
  REQUIRE(lines.size() == 1201);
  for (std::size_t i = 1; i < lines.size(); ++i) CHECK(member(lines[i], "person") == std::to_string(i - 1));
}

TEST_CASE("logs of several processes on one file leave one good chain, whatever they see of each other") {
  const Folder folder;
  const SystemClock clock;
  constexpr int each = 100;
  {
    std::vector<std::unique_ptr<Log>> logs;
    for (int i = 0; i < 3; ++i) logs.push_back(open(folder.log(), clock));
    std::vector<std::thread> writers;
    for (int i = 0; i < 6; ++i)
      writers.emplace_back([&log = *logs[static_cast<std::size_t>(i % 3)], i] {
        for (int k = 0; k < each; ++k) log.note(sign_in(i * each + k));
      });
    for (int i = 0; i < 20; ++i) open(folder.log(), clock)->note(sign_in(i));  // commands come and go
    for (std::thread& writer : writers) writer.join();
  }
  const Report report = check(folder.log());
  CHECK(problem_of(report) == "none");
  CHECK(report.torn == 0);
  CHECK(report.lines == 6 * each + 20 + 1);
  CHECK(read_head(head_path(folder.log())) == report.last);
}

TEST_CASE("a file renamed behind another process's line is followed in the chain") {
  const Folder folder;
  testing::FixedClock clock;
  std::vector<std::string> files{folder.file("audit-1.jsonl"), folder.file("audit-2.jsonl"), folder.log()};
  const auto server = open(folder.log(), clock);
  server->note(sign_in(1));
  open(folder.log(), clock)->note(sign_in(2));
  std::filesystem::rename(folder.log(), files[0]);
  SECTION("at once") { server->note(sign_in(3)); }
  SECTION("and another has begun the new one") { open(folder.log(), clock)->note(sign_in(3)); }
  server->note(sign_in(4));
  open(folder.log(), clock)->note(sign_in(5));
  std::filesystem::rename(folder.log(), files[1]);
  server->note(sign_in(6));
  const Report report = check(files, read_head(head_path(folder.log())));
  CHECK(problem_of(report) == "none");
  CHECK(report.lines == 3 + 4 + 2);
}

TEST_CASE("a line that another process left torn is told by the next") {
  const Folder folder;
  testing::FixedClock clock;
  const auto server = open(folder.log(), clock);
  server->note(sign_in(1));
  std::ofstream(folder.log(), std::ios::app) << R"({"time":"2026-03-15T07:00)";
  server->note(sign_in(2));
  const Report report = check(folder.log());
  CHECK(problem_of(report) == "none");
  CHECK(report.torn == 1);
}

TEST_CASE("a full disk loses events loudly, not silently, and the chain goes on") {
  const Folder folder;
  testing::FixedClock clock;
  const auto log = open(folder.log(), clock);
  log->note(sign_in(1));
  const std::string before = read(folder.log());
  rlimit usual{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &usual) == 0);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const std::size_t room : {std::size_t{0}, std::size_t{1}, std::size_t{40}, std::size_t{200}}) {
    const std::string now = read(folder.log());
    const rlimit full{now.size() + room, usual.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &full) == 0);
    const std::int64_t lost = log->lost();
    log->note(sign_in(2));
    log->note(sign_in(3));
    REQUIRE(setrlimit(RLIMIT_FSIZE, &usual) == 0);
    CHECK(log->lost() == lost + 2);
    CHECK(read(folder.log()).size() == now.size() + room);
    log->note(sign_in(4));
    const auto lines = lines_of(read(folder.log()));
    CHECK(member(lines.back(), "person") == "4");
    const std::string damage = lines[lines.size() - 2];
    CHECK(member(damage, "event") == "log-damaged");
    CHECK(member(damage, "reason").find("2 events are lost") != std::string::npos);
    CHECK(problem_of(check(folder.log())) == "none");
  }
  CHECK(check(folder.log()).torn == 3);
  CHECK(read(folder.log()).starts_with(before));
}

TEST_CASE("a file that is something else is left alone") {
  const Folder folder;
  testing::FixedClock clock;
  for (const std::string& bytes : {std::string("hello\n"), std::string("{}\n"), std::string(3'000'000, 'x')}) {
    write(folder.log(), bytes);
    const auto log = Log::open(folder.log(), clock);
    REQUIRE_FALSE(log);
    CHECK(log.error().log_detail.find("move it elsewhere") != std::string::npos);
    CHECK(read(folder.log()) == bytes);
    CHECK_FALSE(std::filesystem::exists(head_path(folder.log())));
  }
  CHECK_FALSE(Log::open(folder.file("no/such/folder"), clock));
}

TEST_CASE("nobody fills the disk by being refused, and nobody else's line is lost to that") {
  const Folder folder;
  testing::FixedClock clock;
  {
    const auto log = open(folder.log(), clock);
    Event blocked;
    blocked.kind = Kind::AddressBlocked;
    blocked.address = "192.0.2.1";
    for (int i = 0; i < 50; ++i) log->note(blocked);
    blocked.address = "192.0.2.2";
    log->note(blocked);
    for (int i = 0; i < 50; ++i) log->note(sign_in(i));
    clock.advance_seconds(60);
    blocked.address = "192.0.2.1";
    log->note(blocked);
    for (int i = 0; i < 3; ++i) log->note(blocked);
  }
  std::map<std::string, int> counts;
  std::string left_out;
  for (const std::string& line : lines_of(read(folder.log()))) {
    ++counts[member(line, "event")];
    if (member(line, "event") == "repeats-left-out") left_out += member(line, "reason") + ";";
  }
  CHECK(counts["address-blocked"] == 3);
  CHECK(counts["sign-in"] == 50);
  CHECK(left_out == "49 refusals;3 refusals;");
  CHECK(problem_of(check(folder.log())) == "none");
}
