// Commands for people who decide who may use a desk, and look at what was done.
#include "engine/app/command_line.h"
#include "engine/app/commands.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

namespace callisto::app {

namespace {

void add_person(CommandLine& line) {
  const auto options = std::make_shared<PersonOptions>();
  auto* person_command = line.program.add_subcommand("person", "The people who sign in")->require_subcommand(1);
  auto* add = person_command->add_subcommand("add", "Add a person; the password is read from standard input");
  add->add_option("login", options->login, "The login name")->required();
  add->add_option("--first-name", options->first_name);
  add->add_option("--last-name", options->last_name, "Default: the login name");
  add->add_flag("--analyst", options->analyst, "May open sessions of type Analyst");
  add->add_flag("--administrator", options->administrator, "All rights, all partitions; an analyst too");
  add->add_option("--role", options->roles, "The name of a role to give; repeat it for more")->allow_extra_args(false);
  auto* password =
      person_command->add_subcommand("password", "Set a new password, read from standard input; ends a lock");
  password->add_option("login", options->login, "The login name")->required();
  line.runs(add, person_add, options);
  line.runs(password, person_password, options);
}

void add_client(CommandLine& line) {
  const auto options = std::make_shared<ClientOptions>();
  auto* client_command =
      line.program.add_subcommand("client", "The programs that people sign in with")->require_subcommand(1);
  auto* add = client_command->add_subcommand("add", "Add a client, or replace the one with this id");
  add->add_option("id", options->id, "The client_id")->required();
  add->add_option("--name", options->name, "A name for people");
  add->add_flag("--secret", options->secret, "The client has a secret, read from standard input");
  add->add_option("--description", options->description, "What it is for");
  add->add_option("--grants", options->grants, "Default password,refresh_token")
      ->delimiter(',')
      ->check(CLI::IsMember({"password", "refresh_token", "authorization_code", "client_credentials"}));
  add->add_option("--redirect-uri", options->redirect_uris, "Repeat it for more");
  add->add_option("--session-type", options->session_type, "Any (default), User or Analyst")
      ->check(CLI::IsMember({"Any", "User", "Analyst"}));
  add->add_option("--role", options->role, "The role whose partitions the client sees when it signs in for itself");
  auto* list = client_command->add_subcommand("list", "Show all clients; works beside a running server");
  auto* disable = client_command->add_subcommand("disable", "Refuse a client and end all of its sessions");
  disable->add_option("id", options->id, "The client_id")->required();
  line.runs(add, client_add, options);
  line.runs(list, client_list);
  line.runs(disable, client_disable, options);
}

void add_session(CommandLine& line) {
  const auto options = std::make_shared<SessionOptions>();
  auto* session_command = line.program.add_subcommand("session", "Who is signed in")->require_subcommand(1);
  auto* list = session_command->add_subcommand("list", "Show all sessions; works beside a running server");
  auto* end = session_command->add_subcommand("end", "End a session and free its licence");
  end->add_option("ref", options->ref, "The session's REF, as the list shows it")->required();
  session_command->footer("While a server runs, administrators end sessions by DELETE {api}/v1/session/REF.");
  line.runs(list, session_list);
  line.runs(end, session_end, options);
}

void add_webhook(CommandLine& line) {
  const auto options = std::make_shared<WebhookOptions>();
  auto* webhook_command = line.program.add_subcommand("webhook", "The receivers of events")->require_subcommand(1);
  auto* list = webhook_command->add_subcommand("list", "Show all webhooks; works beside a running server");
  auto* test = webhook_command->add_subcommand("test", "Queue a Ping, to be sent when the server starts next");
  test->add_option("ref", options->ref, "The webhook's REF, as the list shows it")->required();
  auto* redeliver =
      webhook_command->add_subcommand("redeliver", "Queue a delivery, to be sent again when the server starts next");
  redeliver->add_option("ref", options->ref, "The delivery's Ref")->required();
  auto* preview = webhook_command->add_subcommand(
      "preview", "Print as JSON what would be sent for an event of a record; works beside a running server");
  preview->add_option("ref", options->ref, "The webhook's REF")->required();
  preview->add_option("--entity", options->entity, "The record's entity, as urls name it")->required();
  preview->add_option("--ref", options->key, "The record's Ref")->required();
  preview->add_option("--event", options->event, "The event, such as Closed")->required();
  webhook_command->footer(
      "While a server runs, test and redeliver are actions of the API: PUT {api}/v1/webhook/REF/test and\n"
      "PUT {api}/v1/webhook-delivery/REF/redeliver. Receivers' guide: webhooks/README.md.");
  line.runs(list, webhook_list);
  line.runs(test, webhook_test, options);
  line.runs(redeliver, webhook_redeliver, options);
  line.runs(preview, webhook_preview, options);
}

void add_audit(CommandLine& line) {
  const auto files = std::make_shared<std::vector<std::string>>();
  const auto options = std::make_shared<AuditListOptions>();
  auto* audit_command = line.program.add_subcommand("audit", "The log of sign-ins, refusals and changes of rights")
                            ->require_subcommand(1);
  auto* verify_command = audit_command->add_subcommand("verify", "Check that nobody changed the log");
  verify_command->add_option("files", *files, "Files of one chain, oldest first (default DATA/audit.jsonl)");
  verify_command->footer(
      "Exit status: 0 good; 1 the log cannot be read, or it is broken, with the first line that was altered,\n"
      "removed, inserted or torn. Note the last hash elsewhere: anybody who can write the whole data folder can\n"
      "make a new chain.");
  auto* list_command = audit_command->add_subcommand("list", "Print lines of the log as JSON");
  list_command->add_option("file", options->file, "Default DATA/audit.jsonl");
  list_command->add_option("--event", options->event, "Such as sign-in-refused");
  list_command->add_option("--since", options->since, "A date such as 2026-03-15 or 2026-03-15T07:00Z");
  list_command->add_option("--person", options->person, "The Ref of a person");
  list_command->footer("Events: " + audit_events());
  verify_command->callback(
      [&line, files] { line.chosen = [files](const Settings& settings) { return audit_verify(settings, *files); }; });
  line.runs(list_command, audit_list, options);
}

}  // namespace

void add_account_commands(CommandLine& line) {
  add_person(line);
  add_client(line);
  add_session(line);
  add_webhook(line);
  add_audit(line);
}

}  // namespace callisto::app
