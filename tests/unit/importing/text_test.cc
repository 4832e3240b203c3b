#include "engine/importing/text.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <zlib.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace callisto::importing {
namespace {

class Folder : public test::TemporaryFolder {
 public:
  std::string write(const std::string& content) const {
    std::ofstream(*this / "file", std::ios::binary) << content;
    return *this / "file";
  }
  std::string packed(const std::string& content) const {
    const std::string path = *this / "packed";
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
    gzclose(file);
    std::stringstream all;
    all << std::ifstream(path, std::ios::binary).rdbuf();
    return all.str();
  }
};

std::string problem(const std::string& path) {
  const auto read = read_file(path);
  REQUIRE_FALSE(read);
  return read.error().message.substr(path.size());
}

std::string noise(std::size_t size) {
  std::string text;
  for (unsigned number = 1; text.size() < size; number = number * 1664525 + 1013904223)
    text += static_cast<char>(number >> 24);
  return text;
}

}  // namespace

TEST_CASE("files are read as they are, gzip unpacked by its content") {
  const Folder folder;
  const std::string large = noise(3 * 1024 * 1024 + 7);
  for (const std::string& content : {std::string(), std::string("a"), std::string("\x1f"), large}) {
    const auto read = read_file(folder.write(content));
    REQUIRE(read);
    CHECK((*read == content));
  }
  for (const std::string& content : {std::string(), std::string("a,b\n"), large}) {
    const auto read = read_file(folder.write(folder.packed(content)));
    REQUIRE(read);
    CHECK((*read == content));
  }
  const auto both = read_file(folder.write(folder.packed("a\n") + folder.packed("b\n")));
  REQUIRE(both);
  CHECK(*both == "a\nb\n");
}

TEST_CASE("what cannot be read says why") {
  const Folder folder;
  CHECK(problem(folder.path() + "/absent") == " cannot be read: No such file or directory");
  CHECK(problem(folder.path()) == " cannot be read: Is a directory");
  const std::string packed = folder.packed(noise(100'000));
  for (const std::size_t size : {packed.size() - 1, packed.size() - 8, packed.size() / 2, std::size_t{20}})
    CHECK(problem(folder.write(packed.substr(0, size))) == " cannot be read: the packed file ends too early");
  std::string damaged = packed;
  damaged[packed.size() - 6] ^= 1;  // in the check sum
  CHECK(problem(folder.write(damaged)) == " cannot be read: the packed file is damaged");
}

}  // namespace callisto::importing
