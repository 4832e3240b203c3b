#include "engine/audit/log.h"

#include "engine/audit/head.h"
#include "engine/base/log.h"
#include "engine/base/running_digest.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace callisto::audit {

namespace {

constexpr off_t searched_tail = 1024 * 1024;  // more than a crash can leave torn

Event repeats_left_out(std::int64_t count) {
  return {.kind = Kind::RepeatsLeftOut, .reason = std::to_string(count) + " refusals"};
}

}  // namespace

class Log::File {
 public:
  static std::shared_ptr<const File> open(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    return descriptor < 0 ? nullptr : std::make_shared<const File>(descriptor);
  }
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() { close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool is_at(const std::string& path) const {
    struct stat ours {
    }, theirs{};
    return fstat(descriptor_, &ours) == 0 && stat(path.c_str(), &theirs) == 0 && ours.st_ino == theirs.st_ino &&
           ours.st_dev == theirs.st_dev;
  }
  off_t size() const {
    struct stat status {};
    return fstat(descriptor_, &status) == 0 ? status.st_size : 0;
  }
  bool is_regular() const {
    struct stat status {};
    return fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
  }
  std::string tail(off_t size) const {
    const off_t start = std::max<off_t>(0, size - searched_tail);
    std::string bytes(static_cast<std::size_t>(size - start), '\0');
    const ssize_t count = pread(descriptor_, bytes.data(), bytes.size(), start);
    bytes.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
    return bytes;
  }
  // How many bytes were written: all, or fewer where the disk is full or fails.
  std::size_t write(const std::string& bytes) const {
    ssize_t count = 0;
    do count = ::write(descriptor_, bytes.data(), bytes.size());
    while (count < 0 && errno == EINTR);
    if (count >= 0 && static_cast<std::size_t>(count) < bytes.size()) errno = ENOSPC;  // a short write tells no reason
    return count < 0 ? 0 : static_cast<std::size_t>(count);
  }
  bool flush() const { return fdatasync(descriptor_) == 0; }

  // While it lives no other process appends to the file or moves its head. Threads of one process share it, so one at a
  // time may have it.
  class Turn {
   public:
    explicit Turn(const File& file) : descriptor_(file.descriptor_) {
      while (flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) continue;
    }
    ~Turn() { flock(descriptor_, LOCK_UN); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    int descriptor_;
  };

 private:
  int descriptor_;
};

Result<std::unique_ptr<Log>> Log::open(const std::string& path, const Clock& clock) {
  std::unique_ptr<Log> log(new Log(path, clock));
  CALLISTO_CHECK(log->begin());
  return log;
}

Log::Log(std::string path, const Clock& clock) : path_(std::move(path)), clock_(clock) {}

// From the end back to the last line that is whole; what stands behind it is torn.
Result<Log::Place> Log::find_place(const File& file) const {
  const std::int64_t size = file.size();
  const std::string bytes = file.tail(size);
  std::size_t end = bytes.size();
  for (std::size_t stop = end; stop > 0;) {
    const std::size_t newline = stop < 2 ? bytes.npos : bytes.rfind('\n', stop - 2);
    const std::size_t start = newline == bytes.npos ? 0 : newline + 1;
    std::string_view text = std::string_view(bytes).substr(start, stop - start);
    const bool is_ended = text.ends_with('\n');
    if (is_ended) text.remove_suffix(1);
    if (const auto line = read_line(text)) return Place{line->link, bytes.substr(stop), !is_ended, size};
    stop = start;
  }
  const std::string_view beginning = std::string_view("{\"time\":").substr(0, bytes.size());
  if (size > static_cast<std::int64_t>(bytes.size()) || !bytes.starts_with(beginning))
    return internal("the audit log " + path_ + " holds something else; move it elsewhere");
  return Place{Link(), bytes, false, size};
}

Result<void> Log::begin() {
  file_ = File::open(path_);
  if (!file_) return internal("the audit log " + path_ + " cannot be opened: " + std::strerror(errno));
  if (!file_->is_regular()) return internal("the audit log " + path_ + " is no file; move it elsewhere");
  const File::Turn turn(*file_);
  CALLISTO_TRY(place_, find_place(*file_));
  const auto head = read_head(head_path(path_));
  if (!head) return {};
  const bool is_new = file_->size() == 0;
  if (!is_new && head->sequence > place_.last.sequence)
    problem_ = "the lines " + std::to_string(place_.last.sequence + 1) + " to " + std::to_string(head->sequence) +
               " are missing";
  if (!is_new && head->sequence == place_.last.sequence && head->hash != place_.last.hash)
    problem_ = "the previous line is not the one that was written";
  if (is_new || head->sequence > place_.last.sequence) place_.last = *head;
  return {};
}

Log::~Log() {
  if (throttle_.left_out() > 0) keep(nullptr);
  if (file_ && place_.last.sequence > 0 && file_->flush()) keep_head(*file_, place_.last);
}

// The price of a rename that needs no signal: two looks at the file system for each line.
bool Log::follow() {
  if (file_ && file_->is_at(path_)) return true;
  if (file_ && !file_->flush()) log::error("the audit log that was " + path_ + " could not be flushed");
  file_ = File::open(path_);
  if (!file_) return false;
  place_ = {place_.last, {}, false, 0};
  const auto head = read_head(head_path(path_));  // what others wrote into the previous file
  if (head && head->sequence > place_.last.sequence) place_.last = *head;
  return true;
}

// The lines that another process has appended belong to the chain. What else became of the file is for `verify` to
// tell.
void Log::catch_up() {
  const std::int64_t size = file_->size();
  if (size > place_.size) {
    const auto found = find_place(*file_);
    const bool goes_on = found && (found->last.sequence > place_.last.sequence || found->last == place_.last);
    if (goes_on) place_ = *found;
  }
  place_.size = size;
}

// One write() a line. A line that was written but for its newline is whole.
bool Log::append(const Event& event, const std::string& torn) {
  const NewLine line = make_line(event, clock_.now(), place_.last, torn.empty() ? std::string() : sha256_hex(torn));
  const std::string bytes = (torn.empty() && !place_.is_open_ended ? "" : "\n") + line.text + "\n";
  const std::size_t written = file_->write(bytes);
  const std::int64_t size = place_.size + static_cast<std::int64_t>(written);
  if (written + 1 < bytes.size()) {
    const std::string why = std::strerror(errno);
    place_.torn =
        (place_.is_open_ended && written > 0 ? bytes.substr(1, written - 1) : torn + bytes.substr(0, written));
    if (written > 0) place_.is_open_ended = false;
    place_.size = size;
    note_loss(why);
    return false;
  }
  place_ = {line.link, {}, written < bytes.size(), size};
  return true;
}

// The event, after whatever the log has to say of itself first.
bool Log::put(const Event& event) {
  if (file_->size() == 0 && !append({.kind = Kind::LogStarted}, {})) return false;
  std::string damage = problem_;
  if (missing_ > 0) damage += (damage.empty() ? "" : "; ") + std::to_string(missing_) + " events are lost";
  if (!place_.torn.empty()) damage += (damage.empty() ? "" : "; ") + std::string("the previous line is torn");
  if (!damage.empty()) {
    if (!append({.kind = Kind::LogDamaged, .reason = damage}, place_.torn)) return false;
    log::warning("The audit log " + path_ + " was damaged: " + damage);
    problem_.clear();
    missing_ = 0;
  }
  return append(event, {});
}

// Told once, when it begins; put() tells the end.
void Log::note_loss(const std::string& why) {
  if (missing_ > 0) return;
  problem_ += (problem_.empty() ? "" : "; ") + ("writing failed: " + why);
  log::error("The audit log " + path_ + " cannot be written: " + why + ". Events are lost until it can.");
}

// In the file, if not on the disk yet.
bool Log::keep(const Event* event) {
  if (!follow()) {
    note_loss(std::strerror(errno));
    return false;
  }
  const File::Turn turn(*file_);
  catch_up();
  if (throttle_.left_out() > 0) {
    if (!put(repeats_left_out(throttle_.left_out()))) return false;
    throttle_.forget_left_out();
  }
  return !event || put(*event);
}

std::int64_t Log::write(const Event& event) {
  const std::lock_guard lock(mutex_);
  if (!throttle_.admits(event, clock_.steady_ms())) return 0;
  if (keep(&event)) return place_.last.sequence;
  ++missing_;
  ++lost_;
  return 0;
}

void Log::note(const Event& event) { note_all({&event, 1}); }

void Log::note_all(std::span<const Event> events) {
  std::int64_t last = 0;
  for (const Event& event : events) {
    noted_[static_cast<std::size_t>(event.kind)].fetch_add(1, std::memory_order_relaxed);
    last = std::max(last, write(event));
  }
  if (last > 0) flush(last);
}

// Whoever comes first flushes for all lines written so far; the others wait for that or for the next flush.
void Log::flush(std::int64_t sequence) {
  std::unique_lock lock(flush_mutex_);
  while (flushed_ < sequence) {
    if (is_flushing_) {
      flushed_changed_.wait(lock);
      continue;
    }
    is_flushing_ = true;
    lock.unlock();
    std::shared_ptr<const File> file;
    Link last;
    {
      std::lock_guard writing(mutex_);
      file = file_;
      last = place_.last;
    }
    const bool is_safe = file && file->flush() && keep_head(*file, last);
    if (!is_safe) log::error("The audit log " + path_ + " could not be flushed: " + std::strerror(errno));
    lock.lock();
    is_flushing_ = false;
    flushed_ = std::max(flushed_, last.sequence);  // after a failure too: the kernel forgets what it could not write
    flushed_changed_.notify_all();
  }
}

// Never back: another process may have come further.
bool Log::keep_head(const File& file, const Link& link) {
  const std::lock_guard lock(mutex_);
  const File::Turn turn(file);
  const auto head = read_head(head_path(path_));
  return (head && head->sequence >= link.sequence) || write_head(head_path(path_), link);
}

}  // namespace callisto::audit
