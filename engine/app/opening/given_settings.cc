#include "engine/app/opening/given_settings.h"

#include "engine/base/text.h"
#include "engine/script/read_settings.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

namespace callisto::app {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view variable_prefix = "CALLISTO_";
constexpr std::string_view of_a_file = "_FILE";
constexpr std::size_t longest_secret = 16 * 1024;

// LOG_LEVEL of log.level.
std::string word_of(std::string_view setting) {
  std::string word;
  for (const char c : setting) word += c == '.' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return word;
}

bool is_number(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == text.npos; }

// What Kubernetes and Docker put into the environment for a service whose name happens to begin as ours do:
// API_SERVICE_HOST, API_SERVICE_PORT, API_SERVICE_PORT_HTTP, API_PORT=tcp://..., API_PORT_80_TCP and
// API_PORT_80_TCP_ADDR.
bool is_service_link(std::string_view variable, std::string_view value) {
  if (variable.ends_with("_SERVICE_HOST")) return true;
  if (variable.find("_SERVICE_PORT") != variable.npos) return is_number(value);
  if (variable.ends_with("_PORT") && value.find("://") != value.npos) return true;
  for (std::size_t at = variable.find("_PORT_"); at != variable.npos; at = variable.find("_PORT_", at + 1)) {
    const auto parts = text::split(variable.substr(at + 6), '_');
    const bool is_protocol = parts.size() > 1 && (parts[1] == "TCP" || parts[1] == "UDP" || parts[1] == "SCTP");
    if (is_number(parts[0]) && is_protocol) return true;
  }
  return false;
}

// A name near a setting's is a slip. Others are for other programs: the tests and those who start servers have theirs.
Result<void> refuse_slip(std::string_view kind, std::string_view prefix, std::string_view name,
                         const std::vector<std::string>& known) {
  const std::string nearest = text::nearest(name, {known.begin(), known.end()});
  if (nearest.empty()) return {};
  const std::string before(prefix);
  return bad_format("unknown setting " + before + std::string(name) + " in " + std::string(kind) + "; did you mean " +
                    before + nearest + "?");
}

bool is_secret(std::string_view name) {
  for (const SettingDescription& each : described_settings())
    if (each.name == name) return each.is_secret;
  return false;
}

// What a secret's file holds, without the line end that editors and `echo` leave behind it. `of`: who named the file.
Result<std::string> read_secret(const std::string& of, const std::string& path) {
  std::error_code problem;
  if (fs::is_directory(path, problem))
    return bad_format(of + ": " + path + " is a folder; name the file of the secret");
  std::ifstream file(path, std::ios::binary);
  std::string secret(longest_secret + 1, '\0');
  if (!file) return bad_format(of + ": the file " + path + " cannot be read");
  file.read(secret.data(), static_cast<std::streamsize>(secret.size()));
  secret.resize(static_cast<std::size_t>(file.gcount()));
  if (secret.size() > longest_secret) return bad_format(of + ": the file " + path + " is too large to be a secret");
  if (secret.ends_with('\n')) secret.pop_back();
  if (secret.ends_with('\r')) secret.pop_back();
  if (secret.empty()) return bad_format(of + ": the file " + path + " is empty");
  if (!text::is_utf8(secret) || secret.find_first_of(std::string_view("\n\r\0", 3)) != secret.npos)
    return bad_format(of + ": the file " + path + " holds more than one line of text");
  return secret;
}

// The settings of one environment, by their variables.
class Variables {
 public:
  Variables() {
    for (const SettingDescription& each : described_settings()) {
      settings_.emplace(word_of(each.name), each.name);
      if (each.is_secret) files_.emplace(word_of(each.name) + std::string(of_a_file), each.name);
    }
  }

  // `word`: what follows the prefix.
  Result<void> take(GivenSettings& given, const std::string& word, std::string_view value) {
    const std::string variable = std::string(variable_prefix) + word;
    if (const auto found = settings_.find(word); found != settings_.end()) {
      CALLISTO_CHECK(take_once(found->second));
      return given.set(found->second, value, {"environment", variable});
    }
    if (const auto found = files_.find(word); found != files_.end()) {
      CALLISTO_CHECK(take_once(found->second));
      CALLISTO_TRY(const std::string secret, read_secret(variable, std::string(value)));
      return given.set(found->second, secret, {"environment-file", variable + "=" + std::string(value)});
    }
    if (is_service_link(word, value)) return {};
    return refuse(word);
  }

 private:
  Result<void> take_once(std::string_view setting) {
    if (taken_.insert(std::string(setting)).second) return {};
    const std::string variable = variable_of(setting);
    return bad_format("both " + variable + " and " + variable + std::string(of_a_file) +
                      " are in the environment; leave one of them out");
  }

  Result<void> refuse(const std::string& word) const {
    const std::string without = word.ends_with(of_a_file) ? word.substr(0, word.size() - of_a_file.size()) : "";
    if (settings_.contains(without))
      return bad_format(std::string(variable_prefix) + word +
                        " in the environment: only secrets are taken from files; write " +
                        std::string(variable_prefix) + without + "=VALUE");
    std::vector<std::string> known;
    for (const auto* each : {&settings_, &files_})
      for (const auto& name : *each) known.push_back(name.first);
    return refuse_slip("the environment", variable_prefix, word, known);
  }

  std::map<std::string, std::string_view> settings_, files_;
  std::set<std::string> taken_;
};

std::vector<std::string> environment_of_process() {
  std::vector<std::string> all;
  for (char** variable = environ; *variable; ++variable) all.emplace_back(*variable);
  return all;
}

std::string settings_file() {
  std::error_code ignored;
  if (fs::exists("callisto.lua", ignored)) return "callisto.lua";
  const std::string installed = installed_settings_file(fs::read_symlink("/proc/self/exe", ignored).string());
  return !installed.empty() && fs::exists(installed, ignored) ? installed : std::string();
}

}  // namespace

std::string variable_of(std::string_view setting) { return std::string(variable_prefix) + word_of(setting); }

// As the Filesystem Hierarchy Standard has it: what is below /usr keeps its settings in /etc.
std::string installed_settings_file(const std::string& program) {
  const fs::path folder = fs::path(program).parent_path();
  if (folder.filename() != "bin") return {};
  const fs::path prefix = folder.parent_path();
  return ((prefix == "/usr" ? fs::path("/etc") : prefix / "etc") / "callisto" / "callisto.lua").string();
}

SettingSource GivenSettings::source_of(std::string_view name) const {
  const auto found = sources.find(name);
  return found == sources.end() ? SettingSource() : found->second;
}

Result<void> GivenSettings::set(std::string_view name, std::string_view value, SettingSource source) {
  CALLISTO_CHECK(app::set(settings, name, value));
  sources.insert_or_assign(std::string(name), std::move(source));
  return {};
}

Result<void> set_from_file(GivenSettings& given, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return bad_format("the settings file " + path + " cannot be read; --settings names another");
  const script::SettingsFile read =
      script::read_settings({path, std::string(std::istreambuf_iterator<char>(file), {})});
  std::string problems;
  for (const catalog::Problem& problem : read.problems) problems += to_string(problem) + "\n";
  for (const script::SettingLine& line : read.settings) {
    SettingSource source{"file", path + (line.origin.line > 0 ? ":" + std::to_string(line.origin.line) : "")};
    if (auto done = given.set(line.name, line.value, std::move(source)); !done)
      problems += to_string(catalog::Problem{line.origin, done.error().message, {}}) + "\n";
  }
  if (!problems.empty()) return bad_format(problems.substr(0, problems.size() - 1));
  given.file = path;
  return {};
}

Result<void> set_from_credentials(GivenSettings& given, const std::string& folder) {
  std::vector<std::string> known;
  for (const SettingDescription& each : described_settings())
    if (each.is_secret) known.emplace_back(each.name);
  std::error_code problem;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem)) {
    const std::string name = entry.path().filename().string();
    if (is_secret(name)) {
      CALLISTO_TRY(const std::string secret, read_secret("credential " + name, entry.path().string()));
      CALLISTO_CHECK(given.set(name, secret, {"credential", entry.path().string()}));
    } else {
      CALLISTO_CHECK(refuse_slip("the credentials", "", name, known));
    }
  }
  if (!problem) return {};
  return bad_format("$CREDENTIALS_DIRECTORY: " + folder + " cannot be read: " + problem.message());
}

Result<void> set_from_environment(GivenSettings& given, const std::vector<std::string>& environment) {
  Variables variables;
  for (const std::string& each : environment) {
    const std::size_t equals = each.find('=');
    if (!each.starts_with(variable_prefix) || equals == each.npos) continue;
    CALLISTO_CHECK(variables.take(given, each.substr(variable_prefix.size(), equals - variable_prefix.size()),
                                  std::string_view(each).substr(equals + 1)));
  }
  return {};
}

Result<void> read_settings(GivenSettings& given, const Arguments& arguments) {
  const std::string file = arguments.file.empty() ? settings_file() : arguments.file;
  if (!file.empty()) CALLISTO_CHECK(set_from_file(given, file));
  const char* credentials = std::getenv("CREDENTIALS_DIRECTORY");
  if (credentials && *credentials) CALLISTO_CHECK(set_from_credentials(given, credentials));
  CALLISTO_CHECK(set_from_environment(given, environment_of_process()));
  for (const std::string& assignment : arguments.assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) return bad_format("--set " + assignment + ": write --set NAME=VALUE");
    CALLISTO_CHECK(given.set(std::string_view(assignment).substr(0, equals),
                             std::string_view(assignment).substr(equals + 1), {"argument", "--set"}));
  }
  if (!arguments.data.empty()) CALLISTO_CHECK(given.set("data", arguments.data, {"argument", "--data"}));
  return {};
}

}  // namespace callisto::app
