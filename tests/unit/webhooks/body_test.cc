// Bodies: what is kept of them once, and that each is sent byte for byte as it was made.
#include "webhooks/body.h"

#include "engine/base/base64.h"
#include "engine/json/write.h"
#include "tests/unit/webhooks/queue_desk.h"

#include <random>

using namespace callisto;
using namespace callisto::webhooks;

namespace {

const FileSource source{"kept_file", "Ref", "BinaryData"};

// A desk with a table of files.
class Bodies : public QueueDesk {
 public:
  Bodies() {
    write([](storage::Connection& connection) {
      return connection.run_script("CREATE TABLE kept_file (\"Ref\" BIGINT PRIMARY KEY, \"BinaryData\" BLOB)");
    });
  }
  void put(std::int64_t key, const std::string& bytes) {
    write([&](storage::Connection& connection) -> Result<void> {
      CALLISTO_CHECK(keep_replaced(connection, source, key, {2}));
      CALLISTO_CHECK(connection.execute(
          Sql("INSERT INTO kept_file VALUES (?1, ?2) ON CONFLICT (\"Ref\") DO UPDATE SET \"BinaryData\" = ?2"),
          {Value(key), Value(Binary{bytes})}));
      return {};
    });
  }
  std::int64_t keep(const Body& body) {
    std::int64_t id = 0;
    write([&](storage::Connection& connection) -> Result<void> {
      CALLISTO_TRY(id, keep_body(connection, body, {1}));
      return {};
    });
    return id;
  }
  void remove(std::int64_t body) {
    write([&](storage::Connection& connection) { return remove_body(connection, body); });
  }
  std::int64_t stored() {  // bytes of all that is kept for bodies
    return number(
        Sql("SELECT COALESCE((SELECT SUM(LENGTH(body)) FROM webhook_body), 0) + "
            "COALESCE((SELECT SUM(LENGTH(bytes)) FROM webhook_part), 0)"));
  }
  std::optional<std::string> sent(std::int64_t body) { return must(read_body(reader(), body)); }
};

std::string base64(const std::string& bytes) { return encode_base64(bytes, Base64::Padded); }

Body with_file(const std::string& before, std::int64_t key, const std::string& bytes, const std::string& after) {
  Body body{before, {}};
  body.append_file(source, key, static_cast<std::int64_t>(bytes.size()));
  body.text += after;
  return body;
}

}  // namespace

TEST_CASE("A file that many bodies hold is kept where it is, and sent whole") {
  Bodies desk;
  const std::string image(1'000'000, '\x7F');
  desk.put(7, image);
  std::vector<std::int64_t> bodies;
  for (int i = 0; i < 9; ++i)
    bodies.push_back(desk.keep(with_file("{\"n\":" + std::to_string(i) + ",\"Html\":\"", 7, image, "\"}")));
  CHECK(desk.stored() < 1'000);
  const auto whole = [&](int i) { return "{\"n\":" + std::to_string(i) + ",\"Html\":\"" + base64(image) + "\"}"; };
  for (int i = 0; i < 9; ++i) CHECK(desk.sent(bodies[static_cast<std::size_t>(i)]) == whole(i));

  // Before the file is another, what it was is kept, once for all of them.
  desk.put(7, "another");
  CHECK(desk.stored() < 1'001'000);
  for (int i = 0; i < 9; ++i) CHECK(desk.sent(bodies[static_cast<std::size_t>(i)]) == whole(i));
  const auto later = desk.keep(with_file("", 7, "another", ""));
  desk.put(7, "a third");
  CHECK(desk.sent(later) == base64("another"));
  CHECK(desk.sent(bodies[0]) == whole(0));

  for (const std::int64_t body : bodies) desk.remove(body);
  CHECK(desk.number(Sql("SELECT COUNT(*) FROM webhook_part")) == 1);  // that of `later`
  desk.remove(later);
  CHECK(desk.stored() == 0);
  CHECK(desk.number(Sql("SELECT COUNT(*) FROM webhook_body_part")) == 0);
}

TEST_CASE("A body whose file is gone, or is not the one of then, is gone") {
  Bodies desk;
  desk.put(1, "bytes");
  const auto body = desk.keep(with_file("a", 1, "bytes", "b"));
  CHECK(desk.sent(body) == "a" + base64("bytes") + "b");
  desk.write([](storage::Connection& connection) {
    return connection.run_script("UPDATE kept_file SET \"BinaryData\" = 'longer than it was'");
  });
  CHECK_FALSE(desk.sent(body));
  desk.write([](storage::Connection& connection) { return connection.run_script("DELETE FROM kept_file"); });
  CHECK_FALSE(desk.sent(body));
  CHECK_FALSE(desk.sent(99));
}

TEST_CASE("A long text that many bodies hold is kept once") {
  Bodies desk;
  const std::string text(200'000, 'x');
  std::vector<std::int64_t> bodies;
  for (int i = 0; i < 5; ++i)
    bodies.push_back(desk.keep({"{\"n\":" + std::to_string(i) + ",\"T\":\"" + text + "\"}", {}}));
  CHECK(desk.stored() < 201'000);
  CHECK(desk.sent(bodies[4]) == "{\"n\":4,\"T\":\"" + text + "\"}");
  for (const std::int64_t body : bodies) desk.remove(body);
  CHECK(desk.stored() == 0);
}

TEST_CASE("Whatever a body holds, it is sent as it was made") {
  Bodies desk;
  std::mt19937 random(7);
  const auto number = [&](std::uint32_t most) { return static_cast<std::size_t>(random() % (most + 1)); };
  std::vector<std::string> files;
  for (std::int64_t key = 1; key <= 4; ++key) {
    files.push_back(std::string(number(50'000), static_cast<char>(random())));
    desk.put(key, files.back());
  }
  for (int round = 0; round < 60; ++round) {
    Body body;
    std::string whole;
    for (std::size_t piece = number(6); piece > 0; --piece) {
      std::string text;
      json::append_string(text, std::string(number(1) == 0 ? number(100) : number(120'000), "a\"\\\n"[number(3)]));
      const std::size_t cut = number(static_cast<std::uint32_t>(text.size()));
      const std::size_t file = number(3);
      body.text += text.substr(0, cut);
      whole += text.substr(0, cut);
      if (number(2) > 0) {
        body.append_file(source, static_cast<std::int64_t>(file) + 1, static_cast<std::int64_t>(files[file].size()));
        whole += base64(files[file]);
      }
      body.text += text.substr(cut);
      whole += text.substr(cut);
    }
    CHECK(must(compose(desk.reader(), body)) == whole);
    CHECK(desk.sent(desk.keep(body)) == whole);
  }
}
