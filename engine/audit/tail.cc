#include "engine/audit/tail.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace callisto::audit {

namespace {

constexpr std::int64_t block = 64 * 1024;

class Backwards {
 public:
  Backwards(std::ifstream& input, std::int64_t end) : input_(input), begin_(end) {}

  // What was not taken of the text ends at a line's end.
  Result<std::int64_t> run(std::size_t most_bytes, const std::function<bool(std::string_view)>& take) {
    bool took = false;
    for (std::size_t read = 0; begin_ > 0;) {
      if (took && read >= most_bytes) return begin_ + static_cast<std::int64_t>(text_.size());
      read += block;
      CALLISTO_CHECK(read_block());
      for (;;) {
        const std::size_t before = text_.size() < 2 ? text_.npos : text_.rfind('\n', text_.size() - 2);
        if (before == text_.npos && begin_ > 0) break;  // the line begins in the block before
        const std::size_t from = before == text_.npos ? 0 : before + 1;
        if (text_.empty()) break;
        took = true;
        const bool more = take(std::string_view(text_).substr(from, text_.size() - 1 - from));
        text_.resize(from);
        if (!more) return begin_ + static_cast<std::int64_t>(from);
      }
    }
    return 0;
  }

 private:
  Result<void> read_block() {
    const std::int64_t size = std::min(block, begin_);
    begin_ -= size;
    std::string bytes(static_cast<std::size_t>(size), '\0');
    input_.seekg(begin_);
    if (!input_.read(bytes.data(), size)) return internal("the audit log became shorter while it was read");
    text_.insert(0, bytes);
    return {};
  }

  std::ifstream& input_;
  std::int64_t begin_;  // of what was read
  std::string text_;
};

// Behind the last newline: what follows is being written.
Result<std::int64_t> last_end(std::ifstream& input) {
  input.seekg(0, std::ios::end);
  for (std::int64_t end = input.tellg(); end > 0;) {
    const std::int64_t size = std::min(block, end);
    std::string bytes(static_cast<std::size_t>(size), '\0');
    input.seekg(end - size);
    if (!input.read(bytes.data(), size)) return internal("the audit log cannot be read to its end");
    if (const std::size_t newline = bytes.rfind('\n'); newline != bytes.npos)
      return end - size + static_cast<std::int64_t>(newline) + 1;
    end -= size;
  }
  return 0;
}

bool is_end(std::ifstream& input, std::int64_t end) {
  char last = 0;
  input.seekg(end - 1);
  const bool is_there = static_cast<bool>(input.get(last));
  input.clear();
  return is_there && last == '\n';
}

}  // namespace

Result<std::int64_t> newest_lines(const std::string& file, std::optional<std::int64_t> end, std::size_t most_bytes,
                                  const std::function<bool(std::string_view)>& take) {
  std::ifstream input(file, std::ios::binary);
  if (!input) return internal("the audit log " + file + " cannot be read: " + std::strerror(errno));
  if (end && !is_end(input, *end))
    return bad_option("$after", "No page ends there: the log was begun anew meanwhile. Ask for the newest lines.");
  if (!end) { CALLISTO_TRY(end, last_end(input)); }
  return Backwards(input, *end).run(most_bytes, take);
}

}  // namespace callisto::audit
