// What the audit log records (decision 0011): security events, and Sink, which takes them. The caller fills in who did
// what to what, from where and why, as far as it knows; texts may be an attacker's, and the writer makes them harmless.
// Plain values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace callisto::audit {

enum class Kind {
  SignIn,
  SignInRefused,
  RefreshReuse,
  Logout,
  SessionEnded,  // by an administrator, by theft of a token or of a code
  ActionDenied,
  ClientChanged,
  RoleChanged,    // a role, or who has it
  PersonChanged,  // rights, login, active, password
  WebhookCreated,
  WebhookChanged,
  WebhookDeleted,
  WebhookRedelivered,
  WebhookPreviewed,
  ViewedAs,        // an administrator asked what somebody else sees
  ScriptsChanged,  // and entities: by a reload, or found at the start
  ProxyHeaderRefused,
  AddressBlocked,
  RecordsPurged,  // what was deleted long ago left the database
  ServerStarted,
  ServerStopped,
  // Of the log itself.
  LogStarted,      // the first line of every file
  LogDamaged,      // what went wrong with the lines before
  RepeatsLeftOut,  // more of one source in a minute than are kept
};

std::string_view name(Kind kind);  // "sign-in-refused"
std::optional<Kind> kind_of(std::string_view name);

struct Event {
  Kind kind = Kind::LogDamaged;
  std::optional<std::int64_t> person = {};   // who did it; whose sign-in it is
  std::string client = {};                   // client_id
  std::optional<std::int64_t> session = {};  // its number
  std::string address = {};                  // of the other end of the connection
  std::string login = {};                    // as sent, where nobody has it
  std::string entity = {};                   // what it was done to
  std::optional<std::int64_t> key = {};
  std::string action = {};
  std::string token = {};  // in the clear; noted are the first 8 hex digits of its SHA-256
  std::string reason = {};
};

class Sink {
 public:
  virtual ~Sink() = default;
  // Returns when the event is kept. It cannot fail: what a failing disk loses is told in the program's log.
  virtual void note(const Event& event) = 0;
  // The same of several, in their order.
  virtual void note_all(std::span<const Event> events) {
    for (const Event& event : events) note(event);
  }
};

}  // namespace callisto::audit
