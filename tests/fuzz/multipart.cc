// The reader of multipart bodies: whatever the bytes, it ends, hands on no more than it got, and says and hands on the
// same however they are cut.
#include "engine/http/multipart.h"

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

class Collecting final : public callisto::http::PartSink {
 public:
  callisto::Result<void> begin(const callisto::http::Part& part) override {
    all += "\n" + part.name + "|" + part.file_name.value_or("-") + "|" + part.content_type + "\n";
    return {};
  }
  callisto::Result<void> append(std::string_view bytes) override {
    total += bytes.size();
    all += bytes;
    return {};
  }
  std::string all;
  std::size_t total = 0;
};

// What the form holds; "refused" where it is malformed.
std::string read(std::string_view bytes, std::size_t step) {
  Collecting sink;
  callisto::http::MultipartReader reader("XX", sink);
  bool good = true;
  for (std::size_t at = 0; good && at < bytes.size(); at += step) good = bool(reader.feed(bytes.substr(at, step)));
  good = good && reader.finish();
  if (sink.total > bytes.size()) std::abort();
  return good ? sink.all : "refused";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t step = 1 + data[0] % 64;
  if (read(bytes, step) != read(bytes, bytes.size() + 1)) std::abort();
  [[maybe_unused]] const auto boundary = callisto::http::multipart_boundary(bytes);
  return 0;
}
