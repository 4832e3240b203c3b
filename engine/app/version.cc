#include "engine/app/version.h"

#include <civetweb.h>
#include <curl/curl.h>
#include <fmt/core.h>
#include <libpq-fe.h>
#include <luajit.h>
#include <openssl/crypto.h>
#include <rapidjson/rapidjson.h>
#include <soci/version.h>
#include <spdlog/version.h>
#include <sqlite3.h>
#include <unicode/uversion.h>
#include <zlib.h>
#include <CLI/Version.hpp>

#include <utility>

namespace callisto::app {

namespace {

std::string dotted(int major, int minor, int patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

std::string icu_version() {
  UVersionInfo numbers;
  char text[U_MAX_VERSION_STRING_LENGTH];
  u_getVersion(numbers);
  u_versionToString(numbers, text);
  return text;
}

std::string postgres_version() {
  const int number = PQlibVersion();
  return std::to_string(number / 10000) + "." + std::to_string(number % 10000);
}

}  // namespace

const char* version() { return CALLISTO_VERSION; }
const char* commit() { return CALLISTO_COMMIT; }

std::string version_text() {
  const std::pair<const char*, std::string> libraries[] = {
      {"CivetWeb", mg_version()},
      {"CLI11", CLI11_VERSION},
      {"fmt", dotted(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"ICU", icu_version()},
      {"libcurl", curl_version_info(CURLVERSION_NOW)->version},
      {"libpq", postgres_version()},
      {"LuaJIT", std::string(LUAJIT_VERSION).substr(std::string(LUAJIT_VERSION).find(' ') + 1)},
      {"OpenSSL", OpenSSL_version(OPENSSL_VERSION_STRING)},
      {"RapidJSON", RAPIDJSON_VERSION_STRING},
      {"SOCI", dotted(SOCI_VERSION / 100000, SOCI_VERSION / 100 % 1000, SOCI_VERSION % 100)},
      {"spdlog", dotted(SPDLOG_VER_MAJOR, SPDLOG_VER_MINOR, SPDLOG_VER_PATCH)},
      {"SQLite", sqlite3_libversion()},
      {"zlib", zlibVersion()}};
  std::string text = std::string("callisto ") + version() + ", commit " + commit() + "\nlibraries:";
  char before = ' ';
  for (const auto& [name, number] : libraries) {
    text += before + (before == ',' ? std::string(" ") : std::string()) + name + " " + number;
    before = ',';
  }
  return text;
}

}  // namespace callisto::app
