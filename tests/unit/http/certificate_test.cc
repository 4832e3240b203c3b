// The files of a certificate: what is wrong with them is told with the setting, the file and what to do.
#include "engine/http/tls.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_certificate.h"
#include "tests/unit/base/stderr_capture.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <optional>

using namespace callisto;
using namespace callisto::test;
using Catch::Contains;

namespace {

struct Case {
  const char* name;
  std::optional<std::string> certificate, key;  // none: there is no such file; an empty key: tls.key is not set
  const char* setting;
  const char* problem;
  const char* fix;
};

const std::vector<Case>& bad_files() {
  static const std::string good = make_certificate(), other = make_certificate();
  static const std::string damaged = [] {
    std::string text = without_key(good);
    return text.replace(text.find('\n') + 1, 8, "AAAAAAAA");
  }();
  static const std::vector<Case> cases{
      {"no certificate file", std::nullopt, key_of(good), "tls.certificate: ", "No such file",
       "Name a file in PEM form"},
      {"no key file", good, std::nullopt, "tls.key: ", "No such file", "Name a file in PEM form"},
      {"an empty file", "", key_of(good), "tls.certificate: ", "holds no certificate", "BEGIN CERTIFICATE"},
      {"text", "certificate", key_of(good), "tls.certificate: ", "holds no certificate", "BEGIN CERTIFICATE"},
      {"the key's file for the certificate", key_of(good), key_of(good), "tls.certificate: ", "holds no certificate",
       "BEGIN CERTIFICATE"},
      {"DER", std::string("\x30\x82\x01\x00", 4), key_of(good), "tls.certificate: ", "holds no certificate", "PEM"},
      {"a damaged certificate", damaged, key_of(good), "tls.certificate: ", "certificate 1 is damaged",
       "Name a PEM file"},
      {"a cut certificate", good.substr(0, 200), key_of(good), "tls.certificate: ", "certificate 1 is damaged",
       "Name a PEM file"},
      {"a damaged certificate of the chain", without_key(good) + damaged, key_of(good),
       "tls.certificate: ", "certificate 2 is damaged", "Name a PEM file"},
      {"no key behind the certificate", without_key(good), "", "tls.certificate: ", "no private key", "in tls.key"},
      {"the certificate's file for the key", good, without_key(good), "tls.key: ", "no private key",
       "BEGIN PRIVATE KEY"},
      {"a cut key", good, key_of(good).substr(0, 90), "tls.key: ", "no private key", "BEGIN PRIVATE KEY"},
      {"an encrypted key", good, encrypted_key_of(good), "tls.key: ", "is encrypted", "openssl pkey"},
      {"another certificate's key", good, key_of(other), "tls.key: ", "does not belong", "the server's own"},
      {"the signer's certificate first", without_key(other) + without_key(good), key_of(good),
       "tls.key: ", "does not belong", "comes first"},
      {"a key that is too short", make_rsa_certificate(1024), "", "tls.certificate: ", "too small", "2048 bits"},
  };
  return cases;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
  chmod(path.c_str(), 0600);
}

}  // namespace

TEST_CASE("files that cannot serve are refused with the setting, the file and the fix", "[http][tls]") {
  for (const Case& bad : bad_files()) {
    INFO(bad.name);
    const TemporaryFolder folder;
    http::CertificateFiles files{folder / "desk.crt", folder / "desk.key"};
    if (bad.certificate) write(files.certificate, *bad.certificate);
    if (bad.key && !bad.key->empty()) write(files.key, *bad.key);
    if (bad.key && bad.key->empty()) files.key.clear();
    const auto read = http::Certificate::read(files);
    REQUIRE_FALSE(read);
    const std::string& message = read.error().message;
    CHECK(message.starts_with(bad.setting));
    CHECK_THAT(message, Contains(bad.problem) && Contains(bad.fix));
    CHECK_THAT(message, Contains(std::string(bad.setting) == "tls.key: " ? files.key : files.certificate));
    if (bad.key && bad.key->size() > 100) CHECK_THAT(message, !Contains(bad.key->substr(40, 20)));
  }
}

TEST_CASE("a folder is no certificate", "[http][tls]") {
  const TemporaryFolder folder;
  const auto read = http::Certificate::read({folder.path(), ""});
  REQUIRE_FALSE(read);
  CHECK_THAT(read.error().message, Contains("tls.certificate: " + folder.path()) && Contains("Is a directory"));
}

TEST_CASE("certificate and key may stand in one file or in two", "[http][tls]") {
  const TemporaryFolder folder;
  const std::string pem = make_certificate("desk");
  write(folder / "both.pem", pem);
  write(folder / "desk.crt", without_key(pem) + without_key(make_certificate("signer")));
  write(folder / "desk.key", key_of(pem));
  for (const http::CertificateFiles& files : {http::CertificateFiles{folder / "both.pem", ""},
                                              {folder / "both.pem", folder / "both.pem"},
                                              {folder / "desk.crt", folder / "desk.key"}}) {
    const auto read = http::Certificate::read(files);
    REQUIRE(read);
    CHECK_THAT((*read)->description(), Contains("CN=desk until "));
  }
}

TEST_CASE("a key that everybody may read is warned of, and served", "[http][tls]") {
  const TemporaryFolder folder;
  for (const auto& [mode, warned] : {std::pair{0600, false}, {0640, false}, {0644, true}, {0604, true}}) {
    INFO(std::oct << mode);
    const std::string file = folder / ("both" + std::to_string(mode) + ".pem");  // the same line would be told once
    write(file, make_certificate());
    chmod(file.c_str(), static_cast<mode_t>(mode));
    const StderrCapture capture;
    REQUIRE(http::Certificate::read({file, ""}));
    const bool found = capture.text().find("can be read by every user of this machine: chmod o-r") != std::string::npos;
    CHECK(found == warned);
  }
}
