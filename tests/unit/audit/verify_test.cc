// Whatever is done to a log afterwards is found, and where.
#include "engine/base/running_digest.h"
#include "tests/unit/audit/support.h"

#include <functional>
#include <random>

using namespace callisto;
using namespace callisto::audit;

namespace {

constexpr int events = 12;

// A log that was closed properly, of 13 lines.
class Sample {
 public:
  Sample() {
    testing::FixedClock clock;
    const auto log = open(folder_.log(), clock);
    for (int i = 0; i < events; ++i) {
      log->note(sign_in(i));
      clock.advance_seconds(1);
    }
  }
  std::vector<std::string> lines() const { return lines_of(bytes()); }
  std::string bytes() const { return read(folder_.log()); }
  Report changed(const std::string& bytes) const {
    const Folder other;
    write(other.log(), bytes);
    std::filesystem::copy(head_path(folder_.log()), head_path(other.log()));
    return check(other.log());
  }
  Report changed(const std::vector<std::string>& lines) const { return changed(joined(lines)); }

 private:
  Folder folder_;
};

std::int64_t broken_line(const Report& report) { return report.broken ? report.broken->line : 0; }

// The line with another person in it and a hash that fits, as somebody makes who knows how.
std::string forged(std::string line) {
  const std::size_t at = line.find("\"client\":\"app\"");
  if (at != line.npos) line.replace(at, 14, "\"client\":\"bad\"");
  const std::size_t end = line.find(",\"hash\":");
  return line.substr(0, end) + ",\"hash\":\"" + sha256_hex(line.substr(0, end)) + "\"}";
}

}  // namespace

TEST_CASE("the log as it was written is good") {
  const Sample sample;
  const Report report = sample.changed(sample.bytes());
  CHECK(problem_of(report) == "none");
  CHECK(report.lines == events + 1);
  CHECK(report.before == Link());
}

TEST_CASE("a line altered, removed, doubled, cut, swapped or put in between is found, whichever it is") {
  const Sample sample;
  const auto lines = sample.lines();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    INFO("line " << i + 1);
    const auto number = static_cast<std::int64_t>(i + 1);
    const auto here = lines.begin() + static_cast<std::ptrdiff_t>(i);

    auto altered = lines;
    altered[i].replace(altered[i].find("sequence"), 8, "seqvence");
    CHECK(problem_of(sample.changed(altered)).starts_with("altered"));
    CHECK(broken_line(sample.changed(altered)) == number);

    auto removed = lines;
    removed.erase(removed.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK(problem_of(sample.changed(removed)).starts_with("removed"));
    CHECK(broken_line(sample.changed(removed)) == number);

    auto doubled = lines;
    doubled.insert(doubled.begin() + static_cast<std::ptrdiff_t>(i), *here);
    CHECK(problem_of(sample.changed(doubled)).starts_with("inserted"));
    CHECK(broken_line(sample.changed(doubled)) == number + 1);

    auto blank = lines;
    blank.insert(blank.begin() + static_cast<std::ptrdiff_t>(i), "");
    CHECK(broken_line(sample.changed(blank)) == number);

    for (const std::size_t kept : {lines[i].size() - 1, lines[i].size() / 2, std::size_t{1}, std::size_t{0}}) {
      auto cut = lines;
      cut[i].resize(kept);
      CHECK(problem_of(sample.changed(cut)).starts_with("torn"));
      CHECK(broken_line(sample.changed(cut)) == number);
    }

    auto with_hash = lines;
    with_hash[i] = forged(lines[i]);
    if (with_hash[i] != lines[i]) {
      const bool is_last = i + 1 == lines.size();
      CHECK(problem_of(sample.changed(with_hash)).starts_with("altered"));
      CHECK(broken_line(sample.changed(with_hash)) == (is_last ? number : number + 1));
    }

    for (std::size_t k = i + 1; k < lines.size(); ++k) {
      auto swapped = lines;
      std::swap(swapped[i], swapped[k]);
      CHECK(broken_line(sample.changed(swapped)) == number);
    }
  }
}

TEST_CASE("the end cut off anywhere is found") {
  const Sample sample;
  const std::string bytes = sample.bytes();
  for (std::size_t size = 0; size + 1 < bytes.size(); ++size) {
    INFO(size);
    CHECK(sample.changed(bytes.substr(0, size)).broken);
  }
}

TEST_CASE("a bit turned over anywhere is found") {
  const Sample sample;
  const std::string bytes = sample.bytes();
  std::mt19937 random(7);
  for (std::size_t at = 0; at + 1 < bytes.size(); ++at) {
    std::string altered = bytes;
    altered[at] = static_cast<char>(altered[at] ^ (1 << random() % 8));
    INFO("byte " << at);
    const Report report = sample.changed(altered);
    const auto line = std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
    CHECK(broken_line(report) == line);
  }
}

TEST_CASE("a whole chain made anew is found by the head") {
  const Sample sample;
  auto lines = sample.lines();
  std::string previous = member(lines[0], "hash");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::size_t at = lines[i].find("\"previous\":\"") + 12;
    lines[i].replace(at, 64, previous);
    lines[i] = forged(lines[i]);
    previous = member(lines[i], "hash");
  }
  const Report report = sample.changed(lines);
  CHECK(problem_of(report) == "altered: it is not the line that was written");
}

TEST_CASE("a line that calls itself the note of a torn one forgives nothing but those bytes") {
  const Sample sample;
  auto lines = sample.lines();
  const Event note{.kind = Kind::LogDamaged};
  lines[4] = "x";
  lines[5] = make_line(note, DateTime{0}, {4, member(lines[3], "hash")}, sha256_hex("y")).text;
  CHECK(broken_line(sample.changed(lines)) == 5);
}

TEST_CASE("foreign bytes of any kind are refused, however long") {
  const Sample sample;
  CHECK(broken_line(sample.changed(std::string())) == 1);
  CHECK(broken_line(sample.changed(std::string(1'000'000, 'x'))) == 1);
  CHECK(broken_line(sample.changed(std::string(1'000'000, '\n'))) == 1);
  CHECK(broken_line(sample.changed(sample.bytes() + std::string(1'000'000, '\0'))) == events + 2);
  CHECK_FALSE(verify({"/no/such/file"}, {}, [](std::uint64_t) {}));
}

TEST_CASE("progress goes on to the size of all files") {
  const Folder folder;
  testing::FixedClock clock;
  {
    const auto log = open(folder.log(), clock);
    for (int i = 0; i < 1000; ++i) log->note(sign_in(i));
  }
  std::uint64_t last = 0;
  REQUIRE(verify({folder.log(), folder.log()}, {}, [&](std::uint64_t bytes) {
    CHECK(bytes >= last);
    last = bytes;
  }));
  CHECK(last >= std::filesystem::file_size(folder.log()));
}
