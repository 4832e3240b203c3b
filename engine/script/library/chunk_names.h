// Short names for chunks with long paths. Lua cuts a chunk's name at 60 bytes, so "file:12: what" of a long path would
// name another file, or none. So a long path has a short name inside Lua, and gets its path back in every text that
// leaves it. One thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace callisto::script {

class ChunkNames {
 public:
  // `name`: "@path" of a file or "=name" of a part of the program. What the chunk is to be loaded as; the same each
  // time.
  std::string add(std::string_view name);

  const std::string& file_of(const std::string& shown) const;  // "boom.lua~3" -> its path; others as they are
  std::string restored(std::string text) const;                // a message or a traceback, with paths

  struct Placed {
    std::string file, text;
    int line = 0;
  };
  // "file:12: what" of a chunk that was added; nothing for a message that begins otherwise.
  std::optional<Placed> split(std::string_view message) const;

 private:
  std::map<std::string, std::string, std::less<>> names_;   // to what it is loaded as
  std::map<std::string, std::string, std::less<>> shown_;   // what Lua shows of it, to the file
  std::map<std::string, std::string, std::less<>> longer_;  // of these, those with a short name
};

// The line of `file` where it happened: that which the message begins with, else that of the innermost place in `file`
// on the way there; 0: none.
int line_in(std::string_view message, std::string_view traceback, std::string_view file);

}  // namespace callisto::script
