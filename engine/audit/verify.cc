#include "engine/audit/verify.h"

#include "engine/base/running_digest.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace callisto::audit {

namespace {

using How = Broken::How;

class Chain {
 public:
  explicit Chain(const std::optional<Link>& head) : head_(head) {}

  void begin(const std::string& file) {
    end_file();
    file_ = file;
    number_ = 0;
  }

  // False: the chain is broken here.
  bool take(std::string_view text, bool is_ended) {
    ++number_;
    const auto line = read_line(text);
    if (line) return accept(*line);
    if (bad_) bad_bytes_.add("\n");
    else
      bad_ = broken(is_ended && has_hash(text) ? How::Altered : How::Torn,
                    is_ended && has_hash(text) ? "altered: its hash does not fit" : "torn, or not of this log");
    bad_bytes_.add(text);
    return true;  // the next line may tell it
  }

  Report finish() {
    end_file();
    if (!report_.broken && head_ && report_.last.sequence < head_->sequence) {
      ++number_;
      report_.broken =
          broken(How::Removed, "removed: the log continued to line " + std::to_string(head_->sequence) +
                                   " of the chain, the file ends at " + std::to_string(report_.last.sequence));
    }
    return report_;
  }

 private:
  Broken broken(How how, const std::string& what) const { return {how, file_, number_, what}; }

  bool refuse(How how, const std::string& what) {
    report_.broken = broken(how, what);
    return false;
  }

  void end_file() {
    if (bad_ && !report_.broken) report_.broken = bad_;
  }

  // A torn line is forgiven where the next good one tells its bytes.
  bool forgive(const Line& line) {
    if (!bad_) return true;
    if (line.event != name(Kind::LogDamaged) || line.torn != bad_bytes_.hex()) return false;
    bad_.reset();
    bad_bytes_ = RunningDigest();
    ++report_.torn;
    return true;
  }

  bool accept(const Line& line) {
    const bool is_first = report_.lines == 0;
    const std::int64_t due = report_.last.sequence + 1;
    const std::int64_t sequence = line.link.sequence;
    if (!forgive(line)) {
      end_file();
      return false;
    }
    if (number_ == 1 && line.event != name(Kind::LogStarted))
      return refuse(How::Removed, "removed: the file does not begin with log-started, as every file does");
    if (is_first) report_.before = {sequence - 1, line.previous};
    if (is_first && sequence == 1 && line.previous != Link().hash)
      return refuse(How::Altered, "altered: the first line of all follows another");
    if (!is_first && sequence > due)
      return refuse(How::Removed, "removed: " + std::to_string(sequence - due) + " before this one");
    if (!is_first && sequence < due) return refuse(How::Inserted, "inserted: an earlier line has its number");
    if (!is_first && line.previous != report_.last.hash)
      return refuse(How::Altered, "altered: it does not follow the previous line");
    if (head_ && head_->sequence == sequence && head_->hash != line.link.hash)
      return refuse(How::Altered, "altered: it is not the line that was written");
    report_.last = line.link;
    ++report_.lines;
    return true;
  }

  const std::optional<Link> head_;
  std::string file_;
  std::int64_t number_ = 0;
  std::optional<Broken> bad_;  // waits for a line that tells it
  RunningDigest bad_bytes_;
  Report report_;
};

}  // namespace

Result<void> each_line(const std::string& file, const OnProgress& on_progress,
                       const std::function<bool(std::string_view, bool)>& take) {
  std::ifstream input(file, std::ios::binary);
  if (!input) return internal("the audit log " + file + " cannot be read: " + std::strerror(errno));
  std::string bytes(longest_line * 2, '\0');
  std::size_t kept = 0;
  std::uint64_t total = 0;
  while (input) {
    input.read(bytes.data() + kept, static_cast<std::streamsize>(bytes.size() - kept));
    total += static_cast<std::uint64_t>(input.gcount());
    on_progress(total);
    std::string_view rest(bytes.data(), kept + static_cast<std::size_t>(input.gcount()));
    for (std::size_t newline; (newline = rest.find('\n')) != rest.npos; rest.remove_prefix(newline + 1))
      if (!take(rest.substr(0, newline), true)) return {};
    if (rest.size() > longest_line || (!input && !rest.empty())) {
      if (!take(rest, false)) return {};
      rest = {};
    }
    kept = rest.size();
    bytes.replace(0, kept, std::string(rest));
  }
  if (input.bad()) return internal("the audit log " + file + " cannot be read to its end");
  return {};
}

Result<Report> verify(const std::vector<std::string>& files, const std::optional<Link>& head,
                      const OnProgress& on_progress) {
  Chain chain(head);
  std::uint64_t before = 0;
  for (const std::string& file : files) {
    chain.begin(file);
    std::uint64_t read = 0;
    bool is_good = true;
    CALLISTO_CHECK(each_line(
        file, [&](std::uint64_t bytes) { on_progress(before + (read = bytes)); },
        [&](std::string_view text, bool is_ended) { return is_good = chain.take(text, is_ended); }));
    if (!is_good) break;
    before += read;
  }
  return chain.finish();
}

}  // namespace callisto::audit
