// What is added never waits for the reader, and no line is lost without being counted.
#include "engine/base/bounded_writer.h"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <string>

using namespace callisto;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds long_time(20'000);

class Pipe {
 public:
  explicit Pipe(int flags = 0) {
    REQUIRE(pipe2(ends_, O_CLOEXEC) == 0);
    if (flags != 0) fcntl(ends_[1], F_SETFL, flags);
  }
  ~Pipe() {
    close_reader();
    close(ends_[1]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int writer() const { return ends_[1]; }
  void close_reader() {
    if (ends_[0] >= 0) close(ends_[0]);
    ends_[0] = -1;
  }
  // Whole lines up to one with `last` in it, or what came within 20 s.
  std::string read_until(const std::string& last) const {
    std::string text;
    pollfd wait{ends_[0], POLLIN, 0};
    char bytes[4096];
    while ((text.find(last) == text.npos || text.back() != '\n') && poll(&wait, 1, 20'000) == 1) {
      const auto count = read(ends_[0], bytes, sizeof bytes);
      if (count <= 0) break;
      text.append(bytes, static_cast<std::size_t>(count));
    }
    return text;
  }

 private:
  int ends_[2] = {-1, -1};
};

std::string note(std::uint64_t dropped) { return "dropped " + std::to_string(dropped) + "\n"; }

std::string line(int number) { return "line " + std::to_string(number) + " " + std::string(100, 'x') + "\n"; }

// Every line is there or in the number that a note says, in order; the sum of both.
std::uint64_t accounted(const std::string& text) {
  std::uint64_t next = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    REQUIRE(end != text.npos);
    const std::string each = text.substr(start, end - start);
    start = end + 1;
    if (each.starts_with("dropped ")) {
      next += std::stoull(each.substr(8));
    } else {
      REQUIRE(each.starts_with("line " + std::to_string(next) + " "));
      ++next;
    }
  }
  return next;
}

}  // namespace

TEST_CASE("whoever adds a line writes it, until a thread does") {
  const Pipe pipe;
  BoundedWriter writer(pipe.writer(), 1000, note);
  writer.add("first\n", false);
  CHECK(pipe.read_until("first\n") == "first\n");
  REQUIRE(writer.start());
  writer.add("second\n", false);
  writer.add("third\n", true);
  CHECK(pipe.read_until("third\n") == "second\nthird\n");
  CHECK(writer.dropped() == 0);
}

TEST_CASE("a reader that stands still holds nobody up, and is told afterwards what it missed") {
  const int flags = GENERATE(0, O_NONBLOCK);  // as it was inherited
  const Pipe pipe(flags);
  BoundedWriter writer(pipe.writer(), 50'000, note);
  REQUIRE(writer.start());
  constexpr int lines = 5'000;  // five times what the pipe and the writer hold
  for (int i = 0; i < lines; ++i) writer.add(line(i), i % 7 == 0);
  writer.flush(milliseconds(1));  // gives up
  const std::uint64_t dropped = writer.dropped();
  CHECK(dropped > lines / 2);
  std::string text, more;  // a note for each time that the thread had written all it held
  while (accounted(text) < lines && !(more = pipe.read_until("dropped")).empty()) text += more;
  CHECK(accounted(text) == lines);
  writer.add(line(lines), true);  // and all goes on
  CHECK(pipe.read_until("\n") == line(lines));
  CHECK(writer.dropped() == dropped);
}

TEST_CASE("no line is lost uncounted while lines come and the reader stops now and then") {
  const Pipe pipe;
  BoundedWriter writer(pipe.writer(), 20'000, note);
  REQUIRE(writer.start());
  std::string text;
  int lines = 0;
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 100 * round; ++i) writer.add(line(lines++), true);
    text += pipe.read_until("\n");
  }
  while (text.empty() || accounted(text.substr(0, text.rfind('\n') + 1)) < static_cast<std::uint64_t>(lines))
    text += pipe.read_until("\n");
  CHECK(accounted(text) == static_cast<std::uint64_t>(lines));
}

TEST_CASE("what cannot be written counts as dropped") {
  signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  pipe.close_reader();
  for (const int descriptor : {pipe.writer(), full, -1}) {
    BoundedWriter writer(descriptor, 1000, note);
    writer.add("alone\n", true);
    CHECK(writer.dropped() == 1);
    REQUIRE(writer.start());
    writer.add("first\nsecond\n", true);
    writer.flush(long_time);
    CHECK(writer.dropped() == 3);
  }
  close(full);
}

TEST_CASE("a line that was cut short is ended before the next one") {
  const Pipe pipe(O_NONBLOCK);
  char path[] = "/tmp/bounded_writer_XXXXXX";
  const int file = mkstemp(path);
  REQUIRE(unlink(path) == 0);
  BoundedWriter writer(file, 1000, note);
  signal(SIGXFSZ, SIG_IGN);
  rlimit before{}, small{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  small = {4, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  writer.add("a long line\n", true);
  REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
  writer.add("the next\n", true);
  char bytes[64];
  const auto count = pread(file, bytes, sizeof bytes, 0);
  CHECK(std::string(bytes, static_cast<std::size_t>(count)) == "a lo\nthe next\n");
  CHECK(writer.dropped() == 1);
  close(file);
}
