#include "engine/app/serving/run_server.h"

#include "engine/api/render_error.h"
#include "engine/app/opening/database_url.h"
#include "engine/app/opening/load.h"
#include "engine/app/serving/own_door.h"
#include "engine/app/serving/service_manager.h"
#include "engine/app/version.h"
#include "engine/base/log.h"

#include <unistd.h>

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace callisto::app {

namespace {

constexpr std::size_t bodies_at_once = 8;  // of the largest; what a body becomes takes memory of its own

// What whoever reads a log wants to know first of the server that wrote it.
std::string start_line(const Settings& settings, const std::string& listening, const std::string& generation) {
  std::error_code none;
  const std::filesystem::path data = std::filesystem::absolute(settings.data, none);
  return std::string("started: version=") + version() + " commit=" + commit() +
         " database=" + without_password(settings.database_url()) + " data=" + (none ? settings.data : data.string()) +
         " listen=" + listening + " generation=" + generation;
}

// All addresses, as urls.
std::string told(const std::vector<http::ListenAddress>& addresses, const Prepared& prepared,
                 std::string_view between) {
  std::string text;
  for (const http::ListenAddress& each : addresses)
    text.append(text.empty() ? "" : between).append(http::url_of(each, prepared.tls != nullptr));
  return text;
}

// `door`: where the server itself is reached; a proxy may publish it elsewhere.
std::string welcome(const Settings& settings, const std::string& listening, const OwnDoor& door,
                    const FirstStart& first_start, bool samples) {
  const bool is_published = !settings.base_url.empty();
  const std::string& base = is_published ? settings.base_url : door.url;
  const std::string curl =
      is_published || door.socket.empty() ? "curl -s " : "curl -s --unix-socket " + door.socket + " ";
  std::string text = "listening on " + listening + "\n" + first_start.told(base);
  if (!samples) return text;
  return text +
         "\nTry it (accounts admin, analyst, analyst2, user, user2; password callisto):\n\n"
         "  TOKEN=$(" +
         curl + base + settings.oauth_root +
         "/login -d client_id=sample-app -d grant_type=password \\\n"
         "    -d username=analyst -d password=callisto -d scope=session-type:Analyst \\\n"
         "    | sed 's/.*\"access_token\":\"\\([^\"]*\\).*/\\1/')\n"
         "  " +
         curl + "-H \"Authorization: Bearer $TOKEN\" '" + base + settings.api_root + "/" +
         settings.api_versions.front() + "'\n\nREADME.md has the tour. Ctrl-C stops the server.\n";
}

audit::Event noted(audit::Kind kind, std::string reason) {
  audit::Event event;
  event.kind = kind;
  event.reason = std::move(reason);
  return event;
}

void reload(const Serving& serving) {
  serving.reload.run(serving.nodes && serving.nodes->follows());
  if (!serving.nodes) return;
  if (const auto told = serving.nodes->reloaded(!serving.reload.failed()); !told)
    log::error("The other nodes were not told to reload: " + told.error().log_detail);
}

}  // namespace

// A server waits for nobody who should read what it prints. As long as the process: its thread may be held up.
BoundedWriter& standard_output() {
  constexpr std::size_t most_bytes = 64 * 1024;
  static auto* output = new BoundedWriter(STDOUT_FILENO, most_bytes, [](std::uint64_t) { return std::string(); });
  return *output;
}

int serve_until_signal(const Settings& settings, const Prepared& prepared, const Serving& serving,
                       const sigset_t& signals) {
  http::ServerOptions options;
  options.listen = prepared.listen;
  options.socket_rights = prepared.socket_rights;
  options.tls = prepared.tls;
  options.spill_folder = settings.data;
  options.all_bodies_bytes = bodies_at_once * settings.body_bytes;
  options.gzip = settings.gzip;
  options.complete = [&serving](const http::Request& request, http::Response& response) {
    serving.front.complete(request, response);
  };
  options.render_error = [&serving](const Error& error, http::Response& response) {
    api::render_error(error, response);
    serving.traffic.refused(response);
  };
  auto server = http::Server::start(options, serving.handler);
  if (!server) {
    print_error(server.error());
    return 1;
  }
  const std::vector<http::ListenAddress>& addresses = (*server)->addresses();
  const std::string listening = "listening on " + told(addresses, prepared, ", ");
  serving.audit_log.note(noted(audit::Kind::ServerStarted, listening));
  log::info(start_line(settings, told(addresses, prepared, ","), serving.reload.generation()));
  const ListeningFile where(settings.data, addresses);
  standard_output().add(welcome(settings, told(addresses, prepared, "\nlistening on "),
                                own_door(addresses, options.tls != nullptr), serving.first_start, serving.samples),
                        true);
  ServiceManager manager(own_door(addresses, options.tls != nullptr));
  manager.ready(listening);
  int received = 0;
  while (sigwait(&signals, &received) == 0 && received == SIGHUP) {
    manager.reloading();
    reload(serving);
    manager.ready(listening + ", generation " + serving.reload.generation());
  }
  manager.stopping();
  log::info("stopping: finishing the requests that run");
  serving.keeper.stop();
  serving.sandboxes.stop();
  (*server)->stop();
  serving.audit_log.note(noted(audit::Kind::ServerStopped, "signal " + std::to_string(received)));
  return 0;
}

}  // namespace callisto::app
