// Inline images: `<img src>` in HTML columns that shows a file of the record itself becomes a data URI (RFC 2397), so
// that a receiver sees it without signing in (webhooks/README.md, "The payload"). No file is read.
#pragma once

#include "webhooks/record_source.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace callisto::webhooks {

// `json`: an object as RecordSource::columns gives it. Images that would make it longer than `most_bytes` stay as they
// are, and so do those of more than a hundred different files.
Result<Body> with_inline_images(RecordSource& source, const Subject& subject, const Columns& columns,
                                std::size_t most_bytes);

// What an address shows where its path ends in /{entity}/{id}/attachment/{ref}, or in that and /content.
struct FileAddress {
  std::string_view entity;
  std::int64_t key = 0, attachment = 0;
};
std::optional<FileAddress> file_address(std::string_view url);

}  // namespace callisto::webhooks
