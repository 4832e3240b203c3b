#include "engine/app/serving/asked_file.h"

#include "engine/base/log.h"
#include "engine/base/whole_file.h"

#include <fstream>
#include <iterator>
#include <utility>

namespace callisto::app {
namespace {

Result<void> replace(const std::string& path, const std::string& text) {
  CALLISTO_TRY(WholeFile file, WholeFile::make(path, 0600));
  CALLISTO_CHECK(file.write(text));
  return file.replace();
}

}  // namespace

AskedFile::AskedFile(std::string path, api::AskedQueries& asked) : path_(std::move(path)), asked_(asked) {
  std::ifstream file(path_, std::ios::binary);
  if (file) asked_.add(std::string(std::istreambuf_iterator<char>(file), {}));
}

void AskedFile::write() const {
  const std::string text = asked_.text();
  if (text.empty()) return;
  if (const auto done = replace(path_, text); !done) log::warning("queries are not kept: " + done.error().log_detail);
}

}  // namespace callisto::app
