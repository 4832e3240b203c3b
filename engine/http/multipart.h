// multipart/form-data as it streams in (RFC 7578 over RFC 2046): parts are handed on piece by piece, and only the
// current line is kept. It reads foreign bytes, so it is fuzzed. One thread, one body.
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace callisto::http {

struct Part {
  std::string name;
  std::optional<std::string> file_name;  // as the client wrote it: data, never a path
  std::string content_type;              // empty: none was given
};

class PartSink {
 public:
  virtual ~PartSink() = default;
  virtual Result<void> begin(const Part& part) = 0;
  virtual Result<void> append(std::string_view bytes) = 0;  // of the part that began last
};

// The boundary of a Content-Type, nothing where it is no multipart/form-data with a boundary of RFC 2046.
std::optional<std::string> multipart_boundary(std::string_view content_type);

class MultipartReader {
 public:
  MultipartReader(std::string boundary, PartSink& sink);
  Result<void> feed(std::string_view bytes);  // 400 where the form is malformed; errors of the sink as they are
  Result<void> finish();                      // 400 where the end was not reached

 private:
  enum class Where { Preamble, AfterBoundary, Headers, Content, Epilogue };
  Result<bool> step();  // false: more bytes are needed
  Result<bool> find_first();
  Result<bool> after_boundary();
  Result<bool> read_headers();
  Result<bool> read_content();

  std::string delimiter_;  // CRLF, two hyphens, boundary
  PartSink& sink_;
  Where where_ = Where::Preamble;
  std::string held_;             // not understood yet
  bool content_begins_ = false;  // held_ begins with the line end before the content
  std::size_t parts_ = 0;
};

}  // namespace callisto::http
