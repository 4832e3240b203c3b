// The composition root: everything that serves is made here, on this stack, and handed on by reference.
#include "engine/api/api.h"
#include "engine/api/render_error.h"
#include "engine/app/commands.h"
#include "engine/app/first_start.h"
#include "engine/app/load.h"
#include "engine/app/samples.h"
#include "engine/audit/change_events.h"
#include "engine/auth/session_events.h"
#include "engine/base/log.h"
#include "engine/base/text.h"
#include "engine/events/sinks.h"
#include "engine/http/server.h"
#include "engine/sign_in/authorization_endpoint.h"
#include "engine/sign_in/proxy_header.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

namespace callisto::app {

namespace {

struct Address {
  std::string host;
  int port = 0;
};

// host:port, [v6]:port or :port.
std::optional<Address> parse_address(const std::string& listen) {
  const std::size_t colon = listen.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  Address address{listen.substr(0, colon), 0};
  if (address.host.size() > 2 && address.host.front() == '[')
    address.host = address.host.substr(1, address.host.size() - 2);
  if (address.host.empty()) address.host = "127.0.0.1";
  const char* end = listen.data() + listen.size();
  const auto [stop, problem] = std::from_chars(listen.data() + colon + 1, end, address.port);
  if (problem != std::errc() || stop != end || address.port < 0 || address.port > 65535) return std::nullopt;
  return address;
}

// DATA/callisto.pid while the server runs (decisions.md 11).
class PidFile {
 public:
  explicit PidFile(std::string path) : path_(std::move(path)) { std::ofstream(path_) << getpid() << "\n"; }
  ~PidFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  PidFile(const PidFile&) = delete;
  PidFile& operator=(const PidFile&) = delete;

 private:
  std::string path_;
};

// Slots: 4 for each core (performance.md 2).
Result<void> fill(records::Slots& slots, storage::Database& database, const records::Model& model,
                  const Settings& settings, const Clock& clock, Random& random) {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  for (unsigned i = 0; i < 4 * cores; ++i) {
    auto slot = std::make_unique<records::Slot>();
    CALLISTO_TRY(slot->connection, database.connect_reader());
    CALLISTO_TRY(slot->scripts, script::State::create(model.program, script_budget(settings), clock, random));
    slots.add(std::move(slot));
  }
  return {};
}

constexpr int writing_patience = 10;  // scripts that write wait for the database meanwhile

// Whose changes the audit log keeps (trust.md D.3), and which properties it tells with them.
audit::WatchedEntities watched_entities() {
  using audit::Kind;
  const auto always = [](Kind kind, std::vector<std::string> properties) {
    return audit::Watched{kind, kind, kind, std::move(properties)};
  };
  return {
      {"client", always(Kind::ClientChanged, {"ClientId", "SessionType", "IsEnabled", "Grants", "RedirectUris"})},
      {"role", always(Kind::RoleChanged, {"Name", "Rights", "AllPartitions"})},
      {"role-partition", always(Kind::RoleChanged, {"Role", "Partition"})},
      {"person-role", always(Kind::RoleChanged, {"Person", "Role"})},
      {"person", always(Kind::PersonChanged, {"LoginId", "IsActive", "IsAnalyst", "IsUser"})},
      {"session", always(Kind::SessionEnded, {"Person", "Client"})},
      {"webhook", {Kind::WebhookCreated, Kind::WebhookChanged, Kind::WebhookDeleted, {"Name", "Url"}}},
  };
}

// Whoever listens to changes of records.
std::unique_ptr<events::Sink> make_sinks(storage::Connection& connection, auth::Service& auth,
                                         const audit::WatchedEntities& watched, audit::Log& log) {
  std::vector<std::unique_ptr<events::Sink>> sinks;
  sinks.push_back(auth::session_events(auth, connection));
  sinks.push_back(std::make_unique<audit::ChangeEvents>(watched, log));
  return std::make_unique<events::Sinks>(std::move(sinks));
}

api::Options api_options(const Settings& settings) {
  api::Options options;
  options.api_root = settings.api_root;
  options.oauth_root = settings.oauth_root;
  options.base_url = settings.base_url;
  options.versions = settings.api_versions;
  return options;
}

auth::Options auth_options(const Settings& settings) {
  auth::Options options;
  options.access_seconds = settings.access_seconds;
  options.refresh_seconds = settings.refresh_seconds;
  options.code_seconds = settings.code_seconds;
  options.attempts_per_minute = settings.attempts_per_minute;
  options.licences = settings.licences;
  return options;
}

sign_in::Options sign_in_options(const Settings& settings) {
  return {settings.base_url, settings.oauth_root, settings.server_name};
}

// Ways to learn who sits at a browser, before the login page.
Result<sign_in::Providers> providers(const Settings& settings, auth::Service& auth) {
  sign_in::Providers made;
  if (settings.sso_trusted_proxies.empty() && settings.sso_secret.empty()) return made;
  sign_in::ProxyHeaderOptions options{{}, settings.sso_header, settings.sso_secret, settings.sso_realms};
  CALLISTO_TRY(options.proxies, sign_in::AddressList::parse(settings.sso_trusted_proxies));
  CALLISTO_TRY(
      auto proxy,
      sign_in::ProxyHeader::create(std::move(options), auth, [](std::string_view reason, std::string_view address) {
        log::warning("an identity header from " + std::string(address) + " was ignored: " + std::string(reason));
      }));
  made.push_back(std::move(proxy));
  return made;
}

// SIGTERM and SIGINT are taken by the main thread alone; the others must not see them, so this comes before any thread.
sigset_t block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  return signals;
}

void print_welcome(const Settings& settings, const std::string& base, const FirstStart& first_start, bool samples) {
  std::printf("listening on %s\n", base.c_str());
  first_start.print(base);
  if (samples) {
    const std::string sign_in = base + settings.oauth_root + "/login";
    std::printf(
        "\nTry it (accounts admin, analyst, analyst2, user, user2; password callisto):\n\n"
        "  TOKEN=$(curl -s %s -d client_id=sample-app -d grant_type=password \\\n"
        "    -d username=analyst -d password=callisto -d scope=session-type:Analyst \\\n"
        "    | sed 's/.*\"access_token\":\"\\([^\"]*\\).*/\\1/')\n"
        "  curl -s -H \"Authorization: Bearer $TOKEN\" '%s%s/%s'\n\n"
        "README.md has the tour. Ctrl-C stops the server.\n",
        sign_in.c_str(), base.c_str(), settings.api_root.c_str(), settings.api_versions.front().c_str());
  }
  std::fflush(stdout);
}

audit::Event noted(audit::Kind kind, std::string reason) {
  audit::Event event;
  event.kind = kind;
  event.reason = std::move(reason);
  return event;
}

struct Serving {
  const http::Handler& handler;
  audit::Sink& audit_log;
  const FirstStart& first_start;
  bool samples = false;
};

int serve_until_signal(const Settings& settings, const Address& address, const Serving& serving,
                       const sigset_t& signals) {
  http::ServerOptions options;
  options.host = address.host;
  options.port = address.port;
  options.render_error = api::render_error;
  auto server = http::Server::start(options, serving.handler);
  if (!server) {
    print_error(server.error());
    return 1;
  }
  const PidFile pid_file(settings.data + "/callisto.pid");
  const bool v6 = address.host.find(':') != std::string::npos;
  const std::string base =
      "http://" + (v6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string((*server)->port());
  serving.audit_log.note(noted(audit::Kind::ServerStarted, "listening on " + base));
  print_welcome(settings, base, serving.first_start, serving.samples);
  int received = 0;
  sigwait(&signals, &received);
  log::info("stopping: finishing the requests that run");
  (*server)->stop();
  serving.audit_log.note(noted(audit::Kind::ServerStopped, "signal " + std::to_string(received)));
  return 0;
}

}  // namespace

int serve(const Settings& settings, const ServeOptions& options) {
  const auto address = parse_address(settings.listen);
  if (!address) {
    std::fprintf(stderr, "callisto: --listen %s: write HOST:PORT, such as 127.0.0.1:8080\n", settings.listen.c_str());
    return 2;
  }
  const sigset_t signals = block_signals();
  const SystemClock clock;
  SystemRandom random;
  const auto model = load_model(settings, clock, random);
  if (!model) return 1;
  const auto database = open_database(settings, *model, clock);
  if (!database) return 1;
  if (options.samples) {
    if (auto loaded = load_samples(*database, *model, find_folder("samples/desk"), clock, random); !loaded) {
      print_error(loaded.error());
      return 1;
    }
  }
  const auto audit_log = open_audit(settings, clock);
  if (!audit_log) return 1;
  auto auth = auth::Service::create(*database, clock, random, auth_options(settings), *audit_log);
  if (!auth) {
    print_error(auth.error());
    return 1;
  }
  auto sign_in_providers = providers(settings, **auth);
  if (!sign_in_providers) {
    print_error(sign_in_providers.error());
    return 1;
  }
  const sign_in::AuthorizationEndpoint authorization(sign_in_options(settings), **auth, *std::move(sign_in_providers),
                                                     clock, random);
  records::Slots slots;
  if (auto filled = fill(slots, *database, *model, settings, clock, random); !filled) {
    print_error(filled.error());
    return 1;
  }
  script::Budget budget = script_budget(settings);
  budget.time_ms *= writing_patience;
  auto scripts = script::State::create(model->program, budget, clock, random);
  if (!scripts) {
    print_error(scripts.error());
    return 1;
  }
  const audit::WatchedEntities watched = watched_entities();
  records::Writer writer(*model, *database, *std::move(scripts), clock, random, [&](storage::Connection& connection) {
    return make_sinks(connection, **auth, watched, *audit_log);
  });
  api::Api api(api_options(settings), model, slots, writer, **auth, *audit_log, authorization);
  FirstStart first_start(settings, *database, *model, clock, random, *audit_log);
  if (auto offered = first_start.offer(); !offered) {
    print_error(offered.error());
    return 1;
  }
  const http::Handler handler = [&](http::Request& request, http::Response& response) {
    if (!first_start.handle(request, response)) api.handle(request, response);
  };
  return serve_until_signal(settings, *address, {handler, *audit_log, first_start, options.samples}, signals);
}

}  // namespace callisto::app
