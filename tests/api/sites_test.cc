// The jobs of samples/sites: a site adds, in folders of its own, and what it adds stays small.
#include "server_process.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include "tests/support/paths.h"

namespace {

using namespace callisto::tests;
namespace files = std::filesystem;

const files::path source = callisto::test::source_folder();
constexpr std::ptrdiff_t most_lines = 19;

std::vector<files::path> jobs() {
  std::vector<files::path> found;
  for (const auto& entry : files::directory_iterator(source / "samples" / "sites")) {
    if (entry.is_directory()) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<files::path> files_of(const files::path& job) {
  std::vector<files::path> found;
  for (const auto& entry : files::recursive_directory_iterator(job)) {
    if (entry.is_regular_file()) found.push_back(entry.path());
  }
  return found;
}

std::ptrdiff_t lines_of(const files::path& file) {
  std::ifstream text(file);
  return std::count(std::istreambuf_iterator<char>(text), {}, '\n');
}

std::string folder_list(const std::string& name, const files::path& job) {
  const std::string product = source / name;
  return name + "=" + (files::exists(job / name) ? product + "," + std::string(job / name) : product);
}

// A command with the product's folders and those of a job behind them.
Finished run(std::vector<std::string> command, const files::path& job) {
  command.insert(command.end(), {"--set", folder_list("entities", job), "--set", folder_list("scripts", job)});
  return run_program(command);
}

// A file of the same name replaces the product's; hooks alone run behind its hooks (decision 0051).
bool replaces_product(const files::path& file, const files::path& job) {
  return file.filename() != "hooks.lua" && files::exists(source / files::relative(file, job));
}

}  // namespace

TEST_CASE("each job of samples/sites adds to the product, replaces none of its files and stays under 20 lines") {
  REQUIRE(jobs().size() == 16);
  for (const files::path& job : jobs()) {
    for (const files::path& file : files_of(job)) {
      INFO(file.string());
      CHECK_FALSE(replaces_product(file, job));
      CHECK(lines_of(file) <= most_lines);
    }
  }
}

TEST_CASE("each job of samples/sites is checked without a problem, and its specs pass") {
  for (const files::path& job : jobs()) {
    INFO(job.string());
    const Finished checked = run({"check"}, job);
    CHECK((checked.exit_status == 0 ? "" : checked.output) == "");
    const Finished tested = run({"test", job / "scripts"}, job);
    CHECK((tested.exit_status == 0 ? "" : tested.output) == "");
    CHECK_THAT(tested.output, !Catch::Matchers::StartsWith("0 passed"));
  }
}
