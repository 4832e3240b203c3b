// The commands of the program; main.cc maps the command line to them. Each prints results to standard output and
// problems to standard error, and returns the exit status: 0 done, 1 refused or failed, 2 wrong usage.
#pragma once

#include "engine/app/opening/settings.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace callisto::app {

struct ServeOptions {
  bool samples = false;  // load samples/desk into an empty database
  bool starter = true;   // load samples/starter into an empty one
  bool watch = false;    // reload whenever an entity or a script changes
  int wait_seconds = 0;  // at most, for a database server that does not answer yet
};
int serve(const Settings& settings, const ServeOptions& options);

struct HealthOptions;
int health(const Settings& settings, const HealthOptions& options);

struct CheckOptions {
  bool database = false;        // instead: whether the file of the database is whole
  std::string format = "text";  // or json, github, sarif: for editors and build servers
  bool matrix = false;          // the table of states and actions too
  std::string entity;           // of this one; empty: of all
  std::string diagram;          // instead: the picture of this entity's states, as SVG
  bool mermaid = false;         // or as the text from which Mermaid draws it
};
int check(const Settings& settings, const CheckOptions& options);

struct TestOptions {
  std::string path;                // a file or folder of specs; empty: those of all scripts folders
  std::vector<std::string> words;  // only specs whose sentence has all of these
  std::string junit;               // a file for the results as XML
  bool watch = false;
  bool random = false;
  std::optional<std::uint64_t> seed;  // of a random order
  bool coverage = false;
  std::string lcov;    // a file for the coverage
  std::string report;  // a file for the page of promises
  bool mutate = false;
  std::string rules;  // mutants of this file or folder alone; empty: of all scripts folders
};
int test(const Settings& settings, TestOptions options);

inline constexpr const char* asked_file = "asked.jsonl";  // in the data folder; see api::AskedQueries
struct AdviseOptions {
  std::string from;            // another file of what was asked; empty: that of the data folder
  std::size_t questions = 30;  // that took the most time, which are tried
  std::size_t most = 8;        // indexes that are tried
};
int advise(const Settings& settings, const AdviseOptions& options);

struct RecordOptions {
  int minutes = 60;
  int mib = 64;  // of requests, beside the copy of the database
};
int record(const Settings& settings, const RecordOptions& options);

struct ShadowOptions {
  std::vector<std::string> scripts, entities;  // the candidate's folders instead of the settings'; empty: the settings'
  std::string recording;                       // a folder; empty: that of the data folder
  bool all = false;                            // each answer that differs, instead of kinds
};
int shadow(const Settings& settings, const ShadowOptions& options);

struct ConsoleOptions {
  std::string login = "analyst";  // whose desk
  bool scratch = false;           // the sample desk in memory, where everything may be written
};
int console(const Settings& settings, const ConsoleOptions& options);

struct DescribeOptions {
  std::string entity;  // empty: all of them
  bool json = false;
};
int describe(const Settings& settings, const DescribeOptions& options);

struct OpenApiChoice {
  std::string version = "3.1";  // or 3.0, for tools that read no other
};
int openapi(const Settings& settings, const OpenApiChoice& choice);

struct StubsOptions {
  std::string output;  // a file; empty: callisto.d.lua in the first scripts folder
};
int stubs(const Settings& settings, const StubsOptions& options);

struct ReloadOptions {
  bool dry_run = false;  // check, test and compare, but tell no server
  bool force = false;    // though webhooks lose words that they use
};
int reload(const Settings& settings, const ReloadOptions& options);

struct MigrateOptions {
  bool plan = false;  // show, change nothing
};
int migrate(const Settings& settings, const MigrateOptions& options);

struct ImportOptions {
  std::string file;
  std::string map;
  std::string rejected;  // where refused rows go; default FILE.rejected beside the data
};
int import(const Settings& settings, const ImportOptions& options);

struct ExportOptions {
  std::vector<std::string> entities;  // none: the whole desk
  std::string output;                 // empty: standard output
};
int export_rows(const Settings& settings, const ExportOptions& options);  // beside a running server too
int import_export(const Settings& settings, const std::string& file);     // what that wrote, into an empty desk

struct CopyOptions {
  std::string from, to;  // urls of databases
};
int copy(const Settings& settings, const CopyOptions& options);  // a whole desk; beside a server on `from` too

struct PurgeOptions {
  std::string older_than;  // "90d"
  std::string entity;      // empty: all
  bool dry_run = false;    // show, change nothing; beside a running server too
};
int purge(const Settings& settings, const PurgeOptions& options);

int backup(const Settings& settings, std::string folder);  // a new folder; beside a running server too

struct PersonOptions {
  std::string login;
  std::string first_name, last_name;
  bool analyst = false;
  bool administrator = false;  // all rights, all partitions
  std::vector<std::string> roles;
};
// The password comes on standard input.
int person_add(const Settings& settings, const PersonOptions& options);
int person_password(const Settings& settings, const PersonOptions& options);

struct ClientOptions {
  std::string id, name, description;
  std::string session_type = "Any";
  std::string role;     // whose partitions its sessions without a person see
  bool secret = false;  // confidential; the secret comes on standard input
  std::vector<std::string> grants = {"password", "refresh_token"};
  std::vector<std::string> redirect_uris;
};
int client_add(const Settings& settings, const ClientOptions& options);
int client_list(const Settings& settings);
int client_disable(const Settings& settings, const ClientOptions& options);

struct SessionOptions {
  std::int64_t ref = 0;
};
int session_list(const Settings& settings);
int session_end(const Settings& settings, const SessionOptions& options);

struct WebhookOptions {
  std::int64_t ref = 0;  // of the webhook, or the delivery
  std::string entity, event;
  std::int64_t key = 0;  // of the record
};
int webhook_list(const Settings& settings);
int webhook_test(const Settings& settings, const WebhookOptions& options);
int webhook_redeliver(const Settings& settings, const WebhookOptions& options);
int webhook_preview(const Settings& settings, const WebhookOptions& options);

int audit_verify(const Settings& settings, std::vector<std::string> files);  // none: the log of the data folder

struct AuditListOptions {
  std::string file;
  std::string event, since, person;  // empty: any
};
std::string audit_events();  // their names, for the help
int audit_list(const Settings& settings, const AuditListOptions& options);

}  // namespace callisto::app
