// The reader of multipart bodies: whatever the bytes and however they are cut, it ends, and it hands on no more than it
// got.
#include "engine/http/multipart.h"

#include <cstdint>
#include <cstdlib>

namespace {

class Counting final : public callisto::http::PartSink {
 public:
  callisto::Result<void> begin(const callisto::http::Part&) override { return {}; }
  callisto::Result<void> append(std::string_view bytes) override {
    total += bytes.size();
    return {};
  }
  std::size_t total = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t step = 1 + data[0] % 64;
  Counting sink;
  callisto::http::MultipartReader reader("XX", sink);
  for (std::size_t at = 0; at < bytes.size(); at += step)
    if (!reader.feed(bytes.substr(at, step))) break;
  [[maybe_unused]] const auto end = reader.finish();
  if (sink.total > bytes.size()) std::abort();
  [[maybe_unused]] const auto boundary = callisto::http::multipart_boundary(bytes);
  return 0;
}
