// Settings: their names, forms and defaults. Read once at start-up (given_settings.h), then constant. An unknown name
// or a value of the wrong form is an error that names the setting and the fix.
#pragma once

#include "engine/base/address_list.h"
#include "engine/base/result.h"
#include "engine/query/bind.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace callisto::app {

struct Settings {
  std::vector<std::string> listen = {"127.0.0.1:8080"};
  std::string socket_mode = "660";  // of unix sockets, octal
  std::string socket_owner;         // USER, USER:GROUP or :GROUP; empty: the process's own
  std::string data = "callisto-data";
  std::string database;         // empty: sqlite:DATA/desk.db; a postgresql:// url may hold a password
  std::string tls_certificate;  // empty: plain http
  std::string tls_key;          // empty: in the file of the certificate
  std::string base_url;         // empty: as each request addresses the server
  std::vector<std::string> http_trusted_proxies;
  std::vector<std::string> cors_origins;  // empty: pages of other origins read nothing
  bool gzip = true;
  std::vector<std::string> http_hosts;  // names of this server beside those that it listens on
  std::string api_root = "/service.api/api";
  std::string oauth_root = "/service.web/oauth";
  std::vector<std::string> api_versions = {"v1", "v1.0"};
  int licences = 0;
  int licences_per_person = 0;  // a quarter of them, at least 3
  int access_seconds = 600;
  int refresh_seconds = 86400;
  int session_seconds = 30 * 86400;
  int code_seconds = 60;
  int attempts_per_minute = 60;
  int refreshes_per_minute = 0;        // as attempts_per_minute
  int client_sign_ins_per_minute = 0;  // as attempts_per_minute
  std::vector<std::string> entities = {"entities"};
  std::vector<std::string> scripts = {"scripts"};
  std::size_t body_bytes = std::size_t{40} * 1024 * 1024;
  std::size_t answer_bytes = std::size_t{32} * 1024 * 1024;
  std::size_t answers_bytes = 0;  // a quarter of the memory
  int joined_rows = 2'000'000;
  bool caches = true;
  int log_slow_ms = 1000;
  std::size_t filter_bytes = query::Limits{}.filter_bytes;
  int query_nodes = static_cast<int>(query::Limits{}.nodes);
  int query_nesting = static_cast<int>(query::Limits{}.nesting);
  int query_relations = static_cast<int>(query::Limits{}.relations);
  int query_paths = static_cast<int>(query::Limits{}.selected_paths);
  int query_sort_keys = static_cast<int>(query::Limits{}.sort_keys);
  std::size_t upload_bytes = std::size_t{2} << 30;
  int repeat_keys = 36'000;
  std::size_t attachment_bytes = std::size_t{25} * 1024 * 1024;
  int script_time_ms = 50;
  int script_memory_mib = 32;
  int script_statements = 1000;
  std::string server_name = "Callisto";
  std::vector<std::string> sso_trusted_proxies;
  std::string sso_header = "X-Remote-User";
  std::string sso_secret;
  std::vector<std::string> sso_realms;
  std::string oidc_issuer;  // empty: no identity provider
  std::string oidc_name;    // empty: the issuer's host
  std::string oidc_client_id;
  std::string oidc_client_secret;
  std::string oidc_scopes = "openid profile email";
  std::string oidc_login_claim = "preferred_username";
  std::string oidc_proxy;  // empty: what the environment says
  bool webhook_attachments = false;
  std::string webhook_networks = "intranet";
  std::string webhook_schedule;  // empty: that of the webhooks themselves
  double webhook_time_scale = 1.0;
  int webhook_keep_days = 30;
  std::string webhook_ca_file;  // empty: the system's
  std::string webhook_proxy;    // empty: none
  std::vector<std::string> webhook_no_proxy;
  std::string log_level = "info";
  std::string log_format = "text";
  bool log_access = true;
  bool log_probes = false;
  std::vector<std::string> metrics_allow;
  bool workbench = true;
  std::vector<std::string> workbench_allow;  // empty: everybody

  bool operator==(const Settings&) const = default;
  bool is_on_postgres() const;
  std::string database_url() const { return database.empty() ? "sqlite:" + data + "/desk.db" : database; }
};

struct SettingDescription {
  std::string_view name;
  std::string_view meaning;
  bool is_secret = false;  // or a url that may hold a password
};
const std::vector<SettingDescription>& described_settings();
using SettingValue = std::variant<std::string, std::int64_t, double, bool, std::vector<std::string>>;
SettingValue value_of(const Settings& settings, std::string_view name);  // of a described one

Result<void> set(Settings& settings, std::string_view name, std::string_view value);

// What the items of `setting` mean; an error that names it.
Result<AddressList> parse_addresses(std::string_view setting, const std::vector<std::string>& items);

// Where the product's own files stand: a name that exists below the working folder as it is, else below the program's
// installed share folder.
std::string find_folder(const std::string& name);
std::vector<std::string> find_folders(const std::vector<std::string>& names);

}  // namespace callisto::app
