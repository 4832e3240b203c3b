#include "webhooks/inline_images.h"

#include "engine/json/read.h"
#include "engine/json/write.h"
#include "tests/support/files_desk.h"
#include "tests/support/test_catalog.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::webhooks;

namespace {

const std::string image_url = "/v1/incident/7/attachment/1";
const std::string data = "data:image/png;base64,/yI8";

const test::Desk& small() {
  static const test::Desk desk;
  return desk;
}

// Of a record's only HTML column.
std::string rewritten(const std::string& html, test::FilesDesk& desk) {
  Columns columns{R"({"Html":)", {"Html"}};
  json::append_string(columns.json, html);
  columns.json += "}";
  const auto done = with_inline_images(desk, {&small().find("incident"), 7, std::nullopt}, columns, 100'000);
  REQUIRE(done);
  const auto read = json::parse(test::composed(*done));
  REQUIRE(read);
  return read->find("Html")->text();
}

std::string rewritten(const std::string& html) {
  test::FilesDesk desk(*small().catalog);
  return rewritten(html, desk);
}

std::string image(std::int64_t file) {
  return R"(<img src="/v1/incident/7/attachment/)" + std::to_string(file) + R"(">)";
}

std::string with(std::string text, const std::string& url) {
  for (std::size_t at = 0; (at = text.find('#', at)) != text.npos; at += url.size()) text.replace(at, 1, url);
  return text;
}

// '#' stands for the address.
const std::string shown_image[] = {
    R"(<img src="#">)",
    R"(<IMG SRC='#'/>)",
    R"(<img src=#>)",
    R"(<img src=# alt=x>)",
    "<img\nsrc=\"#\">",
    "<img\r\n\tsrc=\"#\">",
    "<img\fsrc\f=\f'#'\f>",
    "<img src\n=\n\"#\"\nalt=''>",
    "<img src=#\nalt=x>",
    "<img\n alt=\"x\"\n src=\"#\">",
    R"(<img/src="#"/>)",
    R"(<img alt="a > b" src="#">)",
    R"(<img alt='a > b' src='#'>)",
    R"(<img alt="'" title='"' src="#">)",
    R"(<img alt="a src='/x'" src="#">)",
    R"(<img alt="C:\" src="#">)",
    R"(<img alt=a"b src="#">)",
    R"(<img hidden src="#">)",
    R"(<p>1 < 2</p><img src="#"><br><img src="#">)",
};

const std::string kept[] = {
    R"(<p src="#">)",
    R"(<imgsrc="#">)",
    R"(<img data-src="#">)",
    R"(<img>src="#">)",
    R"(<img alt=" src=#">)",
    R"(<img alt=' src="#"'>)",
    R"(<img src="/x" src="#">)",
    R"(<img src="" src="#">)",
    R"(<img alt="x src=#>)",
    R"(<img src="#)",
    "<img alt=\\nsrc=\"#\">",
    "<img src",
    "<img src=",
    "<img",
    R"(<img src="/v1/incident/8/attachment/1">)",
};

}  // namespace

TEST_CASE("images of the record's files are put in wherever a browser would see them") {
  for (const std::string& html : shown_image) {
    CAPTURE(html);
    CHECK(rewritten(with(html, image_url)) == with(html, data));
  }
}

TEST_CASE("what is no image of a file of the record stays as it is") {
  for (const std::string& html : kept) {
    CAPTURE(html);
    CHECK(rewritten(image_url + with(html, image_url)) == image_url + with(html, image_url));
  }
}

TEST_CASE("a file may be shown several times") {
  const std::string html = rewritten(image(1) + image(2) + image(1) + image(1) + image(3) + image(2));
  CHECK(html.find(image(1)) == html.npos);
  CHECK(html.find(image(2)) == html.npos);
  CHECK(html.find(image(3)) != html.npos);
}

TEST_CASE("a payload shows a hundred different files, and of more the address") {
  test::FilesDesk desk(*small().catalog);
  std::string html;
  desk.files.clear();
  for (std::int64_t file = 1; file <= 102; ++file) {
    desk.files.push_back({file, "a.png", "image/png", 3, {}, {}, 3});
    html += image(file);
  }
  const std::string shown = rewritten(html + image(1), desk);
  CHECK(shown.ends_with(image(101) + image(102) + R"(<img src=")" + data + R"(">)"));
}
