#include "engine/app/opening/settings.h"

#include "engine/app/opening/setting_forms.h"
#include "engine/base/text.h"
#include "engine/storage/database.h"

#include <filesystem>
#include <utility>

namespace callisto::app {

namespace {

struct Setting {
  SettingDescription described;
  Form form;
};

Form shown_as(Form form, std::function<SettingValue(const Settings&)> shown) {
  form.shown = std::move(shown);
  return form;
}

const std::vector<Setting>& table() {
  static const std::vector<Setting> settings{
      {{"listen", "addresses and ports, such as 127.0.0.1:8080 or [::]:8080, and unix:PATH; port 0 picks one"},
       list_into(&Settings::listen)},
      {{"socket.mode", "mode of unix sockets in octal"}, text_into(&Settings::socket_mode)},
      {{"socket.owner", "owner of unix sockets: USER, USER:GROUP or :GROUP; default: the server's own"},
       text_into(&Settings::socket_owner)},
      {{"tls.certificate", "serves https: a PEM file with the certificate and its signers' certificates"},
       text_into(&Settings::tls_certificate)},
      {{"tls.key", "PEM file of the certificate's private key; default: in the same file"},
       text_into(&Settings::tls_key)},
      {{"data", "folder of the database and the process id"}, text_into(&Settings::data)},
      {{"database", "sqlite:PATH or postgresql://USER@HOST/NAME; default sqlite:DATA/desk.db", true},
       shown_as(text_into(&Settings::database), [](const Settings& of) { return of.database_url(); })},
      {{"base_url",
        "where clients reach the server, such as https://desk.example.com, or https://example.com/desk where a proxy "
        "publishes it below a path; default: the host that each request names"},
       url_into(&Settings::base_url)},
      {{"http.trusted_proxies",
        "addresses and CIDR ranges of proxies whose X-Forwarded-For and -Proto are believed; unix: those that come by "
        "a unix socket"},
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
      {{"sso.secret", "what such a proxy must send as X-Callisto-Proxy-Secret", true},
       text_into(&Settings::sso_secret)},
      {{"sso.realms", "Windows domains and Kerberos realms to cut off such names"},
       list_into(&Settings::sso_realms, 0)},
      {{"oidc.issuer", "an OpenID Connect provider's url, exactly as the provider spells it; needs base_url"},
       text_into(&Settings::oidc_issuer)},
      {{"oidc.name", "what the login page calls it; default: its host"}, text_into(&Settings::oidc_name)},
      {{"oidc.client_id", "this server's client id there"}, text_into(&Settings::oidc_client_id)},
      {{"oidc.client_secret", "this server's secret there; empty: only PKCE", true},
       text_into(&Settings::oidc_client_secret)},
      {{"oidc.scopes", "the scopes to ask for, openid among them"}, text_into(&Settings::oidc_scopes)},
      {{"oidc.login_claim", "the claim that holds the login name"}, text_into(&Settings::oidc_login_claim)},
      {{"oidc.proxy", "an HTTP proxy through which the provider is asked: http://HOST:PORT", true},
       text_into(&Settings::oidc_proxy)},
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
      {{"webhooks.proxy", "an HTTP proxy through which deliveries are sent: http://HOST:PORT", true},
       text_into(&Settings::webhook_proxy)},
      {{"webhooks.no_proxy",
        "hosts that are reached without the proxy; a name that begins with a dot means all below it"},
       list_into(&Settings::webhook_no_proxy, 0)},
      {{"log.level", "debug, info, warning, error or off"},
       choice_into(&Settings::log_level, {"debug", "info", "warning", "error", "off"})},
      {{"log.format", "text or json"}, choice_into(&Settings::log_format, {"text", "json"})},
      {{"log.access", "logs a line for each request"}, flag_into(&Settings::log_access)},
      {{"log.probes", "logs /healthz, /readyz and /metrics as well, even when they succeed"},
       flag_into(&Settings::log_probes)},
      {{"log.slow_ms", "requests that take longer are logged, searches with their plan; 0: none"},
       number_into(&Settings::log_slow_ms, 0)},
      {{"metrics.allow", "addresses and CIDR ranges that may read /metrics, beside this machine's own"},
       list_into(&Settings::metrics_allow, 0)},
      {{"workbench", "the pages at /workbench, for people with a browser"}, flag_into(&Settings::workbench)},
      {{"workbench.allow", "addresses and CIDR ranges that may open them, beside this machine's own; empty: all"},
       list_into(&Settings::workbench_allow, 0)},
  };
  return settings;
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
    const std::string expected = setting.form.assign(settings, value);
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

SettingValue value_of(const Settings& settings, std::string_view name) {
  for (const Setting& setting : table())
    if (setting.described.name == name) return setting.form.shown(settings);
  return std::string();
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
