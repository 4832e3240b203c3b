#include "engine/http/multipart.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace callisto;
using namespace callisto::http;

namespace {

class Collected final : public PartSink {
 public:
  struct Item {
    Part part;
    std::string content;
  };
  Result<void> begin(const Part& part) override {
    items.push_back({part, {}});
    return {};
  }
  Result<void> append(std::string_view bytes) override {
    items.back().content += bytes;
    return {};
  }
  std::vector<Item> items;
};

std::string form(const std::string& content, const std::string& disposition = "name=\"file\"; filename=\"a.txt\"") {
  return "--XX\r\nContent-Disposition: form-data; " + disposition + "\r\nContent-Type: text/plain\r\n\r\n" + content +
         "\r\n--XX--\r\n";
}

// What the form holds, fed in pieces of `step` bytes; nothing where it is refused.
std::optional<std::vector<Collected::Item>> read(const std::string& body, std::size_t step,
                                                 const std::string& boundary = "XX") {
  Collected sink;
  MultipartReader reader(boundary, sink);
  for (std::size_t at = 0; at < body.size(); at += step)
    if (!reader.feed(std::string_view(body).substr(at, step))) return std::nullopt;
  if (!reader.finish()) return std::nullopt;
  return std::move(sink.items);
}

}  // namespace

TEST_CASE("a form's parts come out whole, however it is cut") {
  const std::string contents[] = {"",
                                  "x",
                                  "\r\n",
                                  "two\r\nlines\r\n",
                                  "--XX",
                                  "\r\n--X",
                                  "\r\n-",
                                  std::string("\0\xFF", 2),
                                  std::string(40'000, 'y')};
  for (const std::string& content : contents) {
    if (content == "--XX") continue;
    const std::string body = form(content);
    for (const std::size_t step : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7}, body.size()}) {
      if (content.size() > 1000 && step < 7) continue;
      INFO(step << " " << content.substr(0, 20));
      const auto items = read(body, step);
      REQUIRE(items);
      REQUIRE(items->size() == 1);
      CHECK(items->front().content == content);
      CHECK(items->front().part.name == "file");
      CHECK(items->front().part.file_name == "a.txt");
      CHECK(items->front().part.content_type == "text/plain");
    }
  }
}

TEST_CASE("names are data: quotes, slashes, Unicode and dots come as they were written") {
  const std::pair<const char*, const char*> names[] = {
      {"filename=\"a \\\"b\\\".txt\"", "a \"b\".txt"},       {"filename=\"../../etc/passwd\"", "../../etc/passwd"},
      {"filename=\"Prüfung; 1.pdf\"", "Prüfung; 1.pdf"},     {"filename=\"C:\\temp\\x\"", "C:\\temp\\x"},
      {"filename=\"%22quoted%22 100%\"", "\"quoted\" 100%"}, {"filename=plain.txt", "plain.txt"}};
  for (const auto& [written, meant] : names) {
    const auto items = read(form("x", std::string("name=f; ") + written), 5);
    REQUIRE(items);
    CHECK(items->front().part.file_name == meant);
  }
}

TEST_CASE("filename* goes before filename, wherever it stands, and makes a part a file") {
  const std::pair<const char*, const char*> names[] = {
      {"filename=\"=?utf-8?B?w5xiZXJzaWNodC5wZGY=?=\"; filename*=utf-8''%C3%9Cbersicht.pdf", "\u00dcbersicht.pdf"},
      {"filename*=UTF-8'en'%C3%9Cbersicht.pdf; filename=Ubersicht.pdf", "\u00dcbersicht.pdf"},
      {"FileName*=\"utf-8''a%20b\"", "a b"},
      {"filename* = utf-8''a", "a"},
      {"filename*=iso-8859-1''%FC; filename=u", "\u00fc"},
      {"filename*=utf-16''x; filename=\"plain.txt\"", "plain.txt"},
      {"filename*=broken; filename=\"plain.txt\"", "plain.txt"},
      {"filename*=utf-8''%2522.txt", "%22.txt"},
      {"filename=\"=?utf-8?B?w5xiZXJzaWNodC5wZGY=?=\"", "\u00dcbersicht.pdf"},
      {"filename=\"=?utf-8?Q?half\"", "=?utf-8?Q?half"}};
  for (const auto& [written, meant] : names) {
    for (const std::string& disposition : {std::string("name=f; ") + written, written + std::string("; name=f")}) {
      INFO(disposition);
      const auto items = read(form("x", disposition), 5);
      REQUIRE(items);
      CHECK(items->front().part.file_name == meant);
    }
  }
  for (const char* refused : {"filename*=plain.txt", "filename*=utf-8''%FF", "filename*=utf-8''a; filename*=utf-8''b",
                              "filename=a; filename=a", "filename*=koi8-r''a"}) {
    INFO(refused);
    CHECK_FALSE(read(form("x", std::string("name=f; ") + refused), 5));
  }
}

TEST_CASE("a part comes as it is: any transfer encoding is refused by its name") {
  const auto encoded = [](const std::string& header) {
    return "--XX\r\nContent-Disposition: form-data; name=f; filename=a\r\n" + header + "\r\n\r\naGVsbG8=\r\n--XX--";
  };
  for (const char* identity : {"binary", "8bit", "7BIT", "Binary "})
    CHECK(read(encoded(std::string("content-transfer-encoding: ") + identity), 3));
  for (const char* other : {"base64", "quoted-printable", "BASE64", "x-uuencode", "binary, base64"}) {
    Collected sink;
    MultipartReader reader("XX", sink);
    const auto fed = reader.feed(encoded(std::string("Content-Transfer-Encoding: ") + other));
    REQUIRE_FALSE(fed);
    CHECK(fed.error().message.find(std::string("Content-Transfer-Encoding '") + other) != std::string::npos);
  }
}

TEST_CASE("several parts keep their order; preamble and epilogue are passed over") {
  const std::string body =
      "preamble\r\n--XX  \r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--XX\r\n"
      "content-disposition: FORM-DATA; name=\"b\"\r\n\r\n2\r\n--XX--epilogue\r\n--XX";
  const auto items = read(body, 4);
  REQUIRE(items);
  REQUIRE(items->size() == 2);
  CHECK((items->at(0).part.name == "a" && items->at(0).content == "1"));
  CHECK((items->at(1).part.name == "b" && items->at(1).content == "2"));
  CHECK_FALSE(items->at(1).part.file_name);
}

TEST_CASE("a malformed form is refused") {
  CHECK_FALSE(read("", 1));
  CHECK_FALSE(read("--XX", 1));
  CHECK_FALSE(read("--YY\r\n\r\n", 1));
  CHECK_FALSE(read("--XX\r\n\r\nx\r\n--XX--", 1));                                  // no Content-Disposition
  CHECK_FALSE(read("--XX\r\nContent-Disposition: form-data\r\n\r\nx\r\n--XX", 1));  // no end
  CHECK_FALSE(read("--XX trailing\r\nContent-Disposition: form-data\r\n\r\nx\r\n--XX--", 1));
  CHECK_FALSE(read("--XX\r\nno colon\r\n\r\nx\r\n--XX--", 1));
  const auto long_name = [](std::size_t size) { return form("x", "name=a; filename=" + std::string(size, 'f')); };
  const std::size_t most = 8 * 1024 - 2 - std::string("Content-Disposition: form-data; name=a; filename=").size() -
                           std::string("\r\nContent-Type: text/plain").size();
  for (const std::size_t step : {1U, 3U, 100U, 100'000U}) {  // however it is cut
    CHECK(read(long_name(most), step));
    CHECK_FALSE(read(long_name(most + 1), step));
    CHECK_FALSE(read(std::string(9000, 'p'), step));
    CHECK_FALSE(read(std::string(9000, 'p') + "\r\n" + form("x"), step));
    CHECK_FALSE(read("--XX\r\nA: " + std::string(9000, 'h'), step));
    CHECK_FALSE(read(form("x", "name=a; filename=" + std::string(9000, 'f')), step));
  }
  for (const char* disposition : {"filename=a", "filename=\"name=f\"", "name=a; name=b; filename=c"})
    CHECK_FALSE(read(form("x", disposition), 1));
  std::string many;
  for (int i = 0; i < 101; ++i) many += "--XX\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n";
  CHECK_FALSE(read(many + "--XX--", 1000));
}

TEST_CASE("a boundary is what RFC 2046 allows") {
  CHECK(multipart_boundary("multipart/form-data; boundary=abc") == "abc");
  CHECK(multipart_boundary("Multipart/Form-Data; charset=utf-8; Boundary=\"a b\"") == "a b");
  CHECK_FALSE(multipart_boundary("multipart/form-data"));
  CHECK_FALSE(multipart_boundary("multipart/mixed; boundary=abc"));
  CHECK_FALSE(multipart_boundary("multipart/form-data; boundary="));
  CHECK_FALSE(multipart_boundary("multipart/form-data; boundary=" + std::string(71, 'a')));
  CHECK_FALSE(multipart_boundary("multipart/form-data; boundary=a; boundary=a"));
  CHECK_FALSE(multipart_boundary("multipart/form-data; boundary=a; BOUNDARY=\"b\""));
  CHECK_FALSE(multipart_boundary("application/json"));
}
