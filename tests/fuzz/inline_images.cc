// Any HTML in a column: pictures of the record's files are put in, and the JSON around it stays what it was.
#include "webhooks/inline_images.h"
#include "engine/base/text.h"
#include "engine/json/read.h"
#include "engine/json/write.h"
#include "tests/fuzz/require.h"
#include "tests/support/files_desk.h"
#include "tests/support/test_catalog.h"

#include <cstdint>
#include <string>

namespace {

using namespace callisto;
using namespace callisto::webhooks;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static test::Desk small;
  test::FilesDesk desk(*small.catalog);
  const Subject subject{&small.find("incident"), 7, std::nullopt};
  Columns columns{R"({"Name":)", {"Html"}};
  const std::string html(reinterpret_cast<const char*>(data), size);
  if (!text::is_utf8(html)) return 0;
  json::append_string(columns.json, html);
  columns.json += ",\"Html\":";
  json::append_string(columns.json, html);
  columns.json += "}";
  const std::size_t most = columns.json.size() + 100;
  const auto done = with_inline_images(desk, subject, columns, most);
  require(done.has_value());
  const auto read = json::parse(test::composed(*done));
  require(read && read->members().size() == 2);
  require(read->find("Name")->text() == html);  // no HTML, and untouched
  const std::string& rewritten = read->find("Html")->text();
  if (html.find("/attachment/") == html.npos) require(rewritten == html);
  require(rewritten.find("<script>") == html.find("<script>") || html.find("<script>") != html.npos);
  require(test::composed(*done).size() <= most + 64);
  return 0;
}
