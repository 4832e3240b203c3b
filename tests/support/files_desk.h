// A desk whose every record has two files, for the tests of what webhooks make of HTML. One thread.
#pragma once

#include "webhooks/record_source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::test {

class FilesDesk final : public webhooks::RecordSource {
 public:
  explicit FilesDesk(const catalog::Catalog& catalog) : catalog_(catalog) {}

  const catalog::Catalog& catalog() const override { return catalog_; }
  Result<void> check_select(std::optional<std::int64_t>, const catalog::Entity&, std::string_view) override {
    return {};
  }
  Result<void> check_filter(std::optional<std::int64_t>, const catalog::Entity&, std::string_view) override {
    return {};
  }
  Result<std::string> why_silent(std::optional<std::int64_t>) override { return std::string(); }
  Result<bool> sees_file(const webhooks::Subject&, std::int64_t) override { return true; }
  Result<bool> satisfies(const webhooks::Subject&, std::string_view) override { return true; }
  Result<webhooks::Columns> columns(const webhooks::Subject&, std::string_view) override { return webhooks::Columns(); }
  Result<std::vector<webhooks::Attachment>> attachments(const webhooks::Subject&) override { return files; }
  std::optional<FileEvent> file_event(const events::Event&) override { return std::nullopt; }

  std::vector<webhooks::Attachment> files = {{1, "a.png", "image/png", 3, {}, {}, 3},
                                             {2, "b", "\"><script>", 3, {}, {}, 3}};

 private:
  const catalog::Catalog& catalog_;
};

// As it is sent, where each file holds the bytes FF 22 3C.
inline std::string composed(const webhooks::Body& body) {
  std::string out;
  std::size_t done = 0;
  for (const webhooks::Body::File& file : body.files) {
    out.append(body.text, done, file.place - done).append("/yI8");
    done = file.place;
  }
  return out.append(body.text, done);
}

}  // namespace callisto::test
