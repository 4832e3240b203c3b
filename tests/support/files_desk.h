// A desk whose every record has two files, for the tests of what webhooks make of HTML. One thread.
#pragma once

#include "webhooks/desk.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::test {

class FilesDesk final : public webhooks::Desk {
 public:
  explicit FilesDesk(const catalog::Catalog& catalog) : catalog_(catalog) {}

  const catalog::Catalog& catalog() const override { return catalog_; }
  Result<void> check_select(const catalog::Entity&, std::string_view) override { return {}; }
  Result<void> check_filter(const catalog::Entity&, std::string_view) override { return {}; }
  Result<bool> satisfies(const webhooks::Subject&, std::string_view) override { return true; }
  Result<webhooks::Columns> columns(const webhooks::Subject&, std::string_view) override { return webhooks::Columns(); }
  Result<std::vector<webhooks::Attachment>> attachments(const webhooks::Subject&) override { return files; }
  std::optional<FileEvent> file_event(const events::Event&) override { return std::nullopt; }
  Result<std::optional<std::string>> content(const webhooks::Subject&, std::int64_t attachment) override {
    read.push_back(attachment);
    return std::optional<std::string>("\xFF\"<");
  }

  std::vector<webhooks::Attachment> files = {{1, "a.png", "image/png", 3, {}}, {2, "b", "\"><script>", 3, {}}};
  std::vector<std::int64_t> read;  // whose content was asked for, in order

 private:
  const catalog::Catalog& catalog_;
};

}  // namespace callisto::test
