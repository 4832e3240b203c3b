#include "engine/app/settings.h"

#include "engine/api/cross_origin.h"
#include "engine/base/text.h"
#include "engine/script/read_settings.h"
#include "engine/storage/database.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

namespace callisto::app {

namespace {

// `Assign` answers what was expected when the value does not fit, else nothing.
using Assign = std::function<std::string(Settings&, std::string_view)>;

struct Setting {
  SettingDescription described;
  Assign assign;
};

Assign text_into(std::string Settings::*member) {
  return [member](Settings& settings, std::string_view value) {
    settings.*member = value;
    return std::string();
  };
}

Assign choice_into(std::string Settings::*member, std::vector<std::string_view> choices) {
  return [member, choices = std::move(choices)](Settings& settings, std::string_view value) {
    std::string expected = "one of";
    for (std::string_view choice : choices) {
      if (value == choice) {
        settings.*member = value;
        return std::string();
      }
      expected += " " + std::string(choice);
    }
    return expected;
  };
}

Assign number_into(int Settings::*member, int least, int most = std::numeric_limits<int>::max()) {
  return [member, least, most](Settings& settings, std::string_view value) {
    int number = 0;
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (problem != std::errc() || end != value.data() + value.size() || number < least || number > most)
      return "a whole number of at least " + std::to_string(least) +
             (most < std::numeric_limits<int>::max() ? " and at most " + std::to_string(most) : "");
    settings.*member = number;
    return std::string();
  };
}

Assign flag_into(bool Settings::*member) {
  return [member](Settings& settings, std::string_view value) {
    if (value != "true" && value != "false") return std::string("true or false");
    settings.*member = value == "true";
    return std::string();
  };
}

Assign scale_into(double Settings::*member) {
  return [member](Settings& settings, std::string_view value) {
    double number = 0;
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (problem != std::errc() || end != value.data() + value.size() || !(number > 0) || number > 1000)
      return std::string("a number above 0, such as 0.001");
    settings.*member = number;
    return std::string();
  };
}

// Bytes, or with K, M or G.
Assign size_into(std::size_t Settings::*member, std::size_t most = std::size_t{1} << 30, std::size_t least = 1) {
  return [member, most, least](Settings& settings, std::string_view value) {
    const char unit = value.empty() ? ' ' : value.back();
    const std::size_t factor = std::size_t{1} << (unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0);
    if (factor > 1) value.remove_suffix(1);
    std::size_t number = 0;
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool whole = problem == std::errc() && end == value.data() + value.size();
    if (!whole || number < least || number > most / factor)
      return "a number of bytes up to " +
             (most < (1 << 20) ? std::to_string(most >> 10) + "K" : std::to_string(most >> 20) + "M") + ", such as " +
             (most < (1 << 20) ? "16K" : "500K or 25M");
    settings.*member = number * factor;
    return std::string();
  };
}

Assign list_into(std::vector<std::string> Settings::*member, std::size_t least = 1) {
  return [member, least](Settings& settings, std::string_view value) {
    std::vector<std::string> items;
    for (std::string_view item : text::split(value, ','))
      if (!text::trim(item).empty()) items.emplace_back(text::trim(item));
    if (items.size() < least) return std::string("at least one, comma-separated");
    settings.*member = std::move(items);
    return std::string();
  };
}

// A url prefix: begins with '/', does not end with one.
Assign root_into(std::string Settings::*member) {
  return [member](Settings& settings, std::string_view value) {
    if (value.size() < 2 || value.front() != '/' || value.back() == '/')
      return std::string("a path such as /service.api/api");
    settings.*member = value;
    return std::string();
  };
}

// As browsers write them in the header Origin, each the whole of one; or '*' alone.
Assign origins_into(std::vector<std::string> Settings::*member) {
  return [member](Settings& settings, std::string_view value) {
    std::vector<std::string> origins;
    for (std::string_view item : text::split(value, ',')) {
      item = text::trim(item);
      if (item.empty()) continue;
      const auto origin = api::CrossOrigin::spelled_as_browsers_do(item);
      if (!origin)
        return text::quoted(item) + " to be an origin such as https://app.example.com: scheme, host and port, no path";
      origins.push_back(*origin);
    }
    if (origins.size() > 1 && std::find(origins.begin(), origins.end(), "*") != origins.end())
      return std::string("either * or a list of origins");
    settings.*member = std::move(origins);
    return std::string();
  };
}

// A path of plain characters, without empty segments, '.' and '..': what would be written differently by clients that
// tidy urls up.
bool is_tidy_path(std::string_view path) {
  for (std::string_view segment : text::split(path.substr(1), '/')) {
    if (segment.empty() || segment == "." || segment == "..") return false;
    for (const char c : segment)
      if (!std::isalnum(static_cast<unsigned char>(c)) && std::string_view("-._~").find(c) == std::string_view::npos)
        return false;
  }
  return true;
}

// Scheme and host, perhaps a path; does not end with '/'. Empty: none.
Assign url_into(std::string Settings::*member) {
  return [member](Settings& settings, std::string_view value) -> std::string {
    constexpr std::string_view such = "a url such as https://desk.example.com or https://example.com/desk";
    const std::size_t host = value.starts_with("https://") ? 8 : value.starts_with("http://") ? 7 : value.size();
    const bool begins = host < value.size() && value[host] != '/' && value.find_first_of("?#@\\\"'<> ") == value.npos;
    if (!begins && !value.empty()) return std::string(such);
    if (value.ends_with('/')) return std::string(such) + ", without '/' at its end";
    const std::size_t slash = value.find('/', host);
    if (slash != value.npos && !is_tidy_path(value.substr(slash)))
      return std::string(such) + ", its path of letters, digits and -._~ between single '/'";
    settings.*member = value;
    return {};
  };
}

const std::vector<Setting>& table() {
  static const std::vector<Setting> settings{
      {{"listen", "address and port; port 0 picks one"}, text_into(&Settings::listen)},
      {{"tls.certificate", "serves https: a PEM file with the certificate and its signers' certificates"},
       text_into(&Settings::tls_certificate)},
      {{"tls.key", "PEM file of the certificate's private key; default: in the same file"},
       text_into(&Settings::tls_key)},
      {{"data", "folder of the database and the process id"}, text_into(&Settings::data)},
      {{"database", "sqlite:PATH or postgresql://USER@HOST/NAME; default sqlite:DATA/desk.db"},
       text_into(&Settings::database)},
      {{"base_url",
        "where clients reach the server, such as https://desk.example.com, or https://example.com/desk where a proxy "
        "publishes it below a path; default: the host that each request names"},
       url_into(&Settings::base_url)},
      {{"http.trusted_proxies", "addresses and CIDR ranges of proxies whose X-Forwarded-For and -Proto are believed"},
       list_into(&Settings::http_trusted_proxies, 0)},
      {{"http.cors_origins", "origins whose pages may use the API, such as https://app.example.com; * for all"},
       origins_into(&Settings::cors_origins)},
      {{"http.hosts",
        "names by which clients may call a server that listens on loopback without base_url, beside localhost"},
       list_into(&Settings::http_hosts, 0)},
      {{"http.gzip", "compresses answers for clients that take it"}, flag_into(&Settings::gzip)},
      {{"api.root", "url prefix of the API"}, root_into(&Settings::api_root)},
      {{"oauth.root", "url prefix of signing in"}, root_into(&Settings::oauth_root)},
      {{"api.versions", "known version segments; links use the first"}, list_into(&Settings::api_versions)},
      {{"licences", "sessions that may exist at once; 0 means unlimited"}, number_into(&Settings::licences, 0)},
      {{"licences.per_person", "how many of them one person may hold; 0 means a quarter, at least 3"},
       number_into(&Settings::licences_per_person, 0)},
      {{"oauth.access_seconds", "lifetime of an access token"}, number_into(&Settings::access_seconds, 1)},
      {{"oauth.refresh_seconds", "lifetime of a refresh token"}, number_into(&Settings::refresh_seconds, 1)},
      {{"oauth.session_seconds", "longest life of a session, however often it is refreshed"},
       number_into(&Settings::session_seconds, 1)},
      {{"oauth.code_seconds", "lifetime of an authorization code"}, number_into(&Settings::code_seconds, 1)},
      {{"oauth.attempts_per_minute", "password attempts of one address, and changes of one's own password"},
       number_into(&Settings::attempts_per_minute, 1)},
      {{"oauth.refreshes_per_minute", "refreshes of one session; 0 means as oauth.attempts_per_minute, at least 60"},
       number_into(&Settings::refreshes_per_minute, 0)},
      {{"oauth.client_sign_ins_per_minute",
        "sign-ins of one client for itself, from one address; 0 means as oauth.attempts_per_minute, at least 60"},
       number_into(&Settings::client_sign_ins_per_minute, 0)},
      {{"entities", "folders of entity files, later ones override"}, list_into(&Settings::entities)},
      {{"scripts", "folders of scripts, later ones override"}, list_into(&Settings::scripts)},
      {{"limits.attachment", "largest file, in bytes or with K or M"}, size_into(&Settings::attachment_bytes)},
      {{"limits.body", "largest body of a request with files"}, size_into(&Settings::body_bytes)},
      {{"limits.uploads", "bytes of files that one person may send in a day"},
       size_into(&Settings::upload_bytes, std::size_t{1} << 40)},
      {{"limits.repeat_keys", "requests with an Idempotency-Key that one person may send in an hour"},
       number_into(&Settings::repeat_keys, 1)},
      {{"limits.answer", "largest answer to a search"}, size_into(&Settings::answer_bytes)},
      {{"limits.answers", "memory of all answers at once; 0 means a quarter of this machine's or container's"},
       size_into(&Settings::answers_bytes, std::size_t{1} << 40, 0)},
      {{"caches",
        "false: no answer, session or compiled query is kept for another request. Slow; to find a wrong answer's "
        "cause"},
       flag_into(&Settings::caches)},
      {{"limits.filter", "longest $filter"}, size_into(&Settings::filter_bytes, 64 * 1024)},
      {{"limits.nodes", "comparisons, method calls, flags and operators of a query"},
       number_into(&Settings::query_nodes, 50, 2000)},
      {{"limits.nesting", "levels of parentheses and '!' in a query"}, number_into(&Settings::query_nesting, 8, 40)},
      {{"limits.relations", "tables that a query may use, by lookups and joins"},
       number_into(&Settings::query_relations, 8, 60)},
      {{"limits.paths", "paths in a $select"}, number_into(&Settings::query_paths, 1, 1000)},
      {{"limits.sort_keys", "keys of a $orderby"}, number_into(&Settings::query_sort_keys, 1, 64)},
      {{"limits.joined_rows", "rows that joins without a key may examine"}, number_into(&Settings::joined_rows, 1)},
      {{"scripts.time_ms", "processor time of one script call; ten times that for one that writes"},
       number_into(&Settings::script_time_ms, 1)},
      {{"scripts.memory_mib", "memory of one script state"}, number_into(&Settings::script_memory_mib, 1)},
      {{"scripts.statements", "database statements of one script call that writes"},
       number_into(&Settings::script_statements, 1)},
      {{"server.name", "what the sign-in page calls this server"}, text_into(&Settings::server_name)},
      {{"sso.trusted_proxies", "addresses and CIDR ranges of proxies that vouch for persons"},
       list_into(&Settings::sso_trusted_proxies, 0)},
      {{"sso.header", "the header in which such a proxy names the person"}, text_into(&Settings::sso_header)},
      {{"sso.secret", "what such a proxy must send as X-Callisto-Proxy-Secret"}, text_into(&Settings::sso_secret)},
      {{"sso.realms", "Windows domains and Kerberos realms to cut off such names"},
       list_into(&Settings::sso_realms, 0)},
      {{"oidc.issuer", "an OpenID Connect provider's url, exactly as the provider spells it; needs base_url"},
       text_into(&Settings::oidc_issuer)},
      {{"oidc.name", "what the login page calls it; default: its host"}, text_into(&Settings::oidc_name)},
      {{"oidc.client_id", "this server's client id there"}, text_into(&Settings::oidc_client_id)},
      {{"oidc.client_secret", "this server's secret there; empty: only PKCE"},
       text_into(&Settings::oidc_client_secret)},
      {{"oidc.scopes", "the scopes to ask for, openid among them"}, text_into(&Settings::oidc_scopes)},
      {{"oidc.login_claim", "the claim that holds the login name"}, text_into(&Settings::oidc_login_claim)},
      {{"webhooks.include_attachments", "whether payloads include their record's files"},
       flag_into(&Settings::webhook_attachments)},
      {{"webhooks.networks", "where deliveries may go: internet, intranet or open"},
       choice_into(&Settings::webhook_networks, {"internet", "intranet", "open"})},
      {{"webhooks.schedule", "when a delivery is tried again, in seconds after the first attempt, comma-separated"},
       text_into(&Settings::webhook_schedule)},
      {{"webhooks.time_scale", "scales the schedule and its hour; for tests"},
       scale_into(&Settings::webhook_time_scale)},
      {{"webhooks.keep_days", "how long finished deliveries are kept"}, number_into(&Settings::webhook_keep_days, 1)},
      {{"webhooks.ca_file", "authorities for https receivers, in addition to the system's (PEM)"},
       text_into(&Settings::webhook_ca_file)},
      {{"webhooks.proxy", "an HTTP proxy through which deliveries are sent: http://HOST:PORT"},
       text_into(&Settings::webhook_proxy)},
      {{"webhooks.no_proxy",
        "hosts that are reached without the proxy; a name that begins with a dot means all below it"},
       list_into(&Settings::webhook_no_proxy, 0)},
      {{"log.level", "debug, info, warning, error or off"},
       choice_into(&Settings::log_level, {"debug", "info", "warning", "error", "off"})},
      {{"log.format", "text or json"}, choice_into(&Settings::log_format, {"text", "json"})},
      {{"log.access", "logs a line for each request"}, flag_into(&Settings::log_access)},
      {{"log.slow_ms", "requests that take longer are logged, searches with their plan; 0: none"},
       number_into(&Settings::log_slow_ms, 0)},
      {{"metrics.allow", "addresses and CIDR ranges that may read /metrics, beside this machine's own"},
       list_into(&Settings::metrics_allow, 0)},
  };
  return settings;
}

constexpr std::string_view variable_prefix = "CALLISTO_";

// What follows the prefix in the environment: LOG_LEVEL for log.level.
std::string variable_of(std::string_view setting) {
  std::string variable;
  for (const char c : setting) variable += c == '.' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return variable;
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
Result<void> refuse_slip(std::string_view variable, const std::map<std::string, std::string_view>& known) {
  std::vector<std::string_view> names;
  for (const auto& each : known) names.emplace_back(each.first);
  const std::string nearest = text::nearest(variable, names);
  if (nearest.empty()) return {};
  const std::string prefix(variable_prefix);
  return bad_format("unknown setting " + prefix + std::string(variable) + " in the environment; did you mean " +
                    prefix + nearest + "?");
}

}  // namespace

const std::vector<SettingDescription>& described_settings() {
  static const std::vector<SettingDescription> described = [] {
    std::vector<SettingDescription> all;
    for (const Setting& setting : table()) all.push_back(setting.described);
    return all;
  }();
  return described;
}

Result<void> set(Settings& settings, std::string_view name, std::string_view value) {
  for (const Setting& setting : table()) {
    if (setting.described.name != name) continue;
    const std::string expected = setting.assign(settings, value);
    if (expected.empty()) return {};
    return bad_format("setting " + std::string(name) + ": " + text::quoted(value) + " does not fit; expected " +
                      expected);
  }
  std::vector<std::string_view> names;
  for (const Setting& setting : table()) names.push_back(setting.described.name);
  const std::string nearest = text::nearest(name, names);
  return bad_format("unknown setting " + text::quoted(name) +
                    (nearest.empty() ? "; callisto --help lists them" : "; did you mean '" + nearest + "'?"));
}

Result<void> set_from_file(Settings& settings, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return bad_format("the settings file " + path + " cannot be read");
  const script::SettingsFile read =
      script::read_settings({path, std::string(std::istreambuf_iterator<char>(file), {})});
  std::string problems;
  for (const catalog::Problem& problem : read.problems) problems += to_string(problem) + "\n";
  for (const script::SettingLine& line : read.settings)
    if (auto done = set(settings, line.name, line.value); !done)
      problems += to_string(catalog::Problem{line.origin, done.error().message, {}}) + "\n";
  if (problems.empty()) return {};
  problems.pop_back();
  return bad_format(problems);
}

Result<void> set_from_environment(Settings& settings, const std::vector<std::string>& environment) {
  std::map<std::string, std::string_view> settings_of_variables;
  for (const Setting& setting : table())
    settings_of_variables.emplace(variable_of(setting.described.name), setting.described.name);
  for (const std::string& each : environment) {
    const std::size_t equals = each.find('=');
    if (!each.starts_with(variable_prefix) || equals == each.npos) continue;
    const std::string variable = each.substr(variable_prefix.size(), equals - variable_prefix.size());
    const auto setting = settings_of_variables.find(variable);
    const std::string_view value = std::string_view(each).substr(equals + 1);
    if (setting != settings_of_variables.end()) CALLISTO_CHECK(set(settings, setting->second, value));
    else if (!is_service_link(variable, value)) CALLISTO_CHECK(refuse_slip(variable, settings_of_variables));
  }
  return {};
}

Result<AddressList> parse_addresses(std::string_view setting, const std::vector<std::string>& items) {
  auto list = AddressList::parse(items);
  if (list) return list;
  return bad_format("setting " + std::string(setting) + ": " + list.error().message);
}

std::string find_folder(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::exists(name, ignored)) return name;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  for (const char* share : {"../share/callisto", ".."}) {
    const fs::path candidate = program.parent_path() / share / name;
    if (fs::exists(candidate, ignored)) return candidate.lexically_normal().string();
  }
  return name;
}

std::vector<std::string> find_folders(const std::vector<std::string>& names) {
  std::vector<std::string> paths;
  for (const std::string& name : names) paths.push_back(find_folder(name));
  return paths;
}

bool Settings::is_on_postgres() const { return storage::Database::is_postgres(database); }

}  // namespace callisto::app
