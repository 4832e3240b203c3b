// What writing scripts may ask of the engine; the folder records implements it, one per transaction. A Handle stands
// for a record that the transaction knows; it is valid as long as the Host. An error ends the script and the
// transaction, and reaches the client as it is; scripts cannot catch it. The thread that runs the script.
//
// Requires: the thread that runs the script; a Handle of this Host.
#pragma once

#include "engine/base/error.h"
#include "engine/base/result.h"
#include "engine/base/value.h"
#include "engine/catalog/catalog.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::script {

using NamedValues = std::map<std::string, Value, std::less<>>;

class Host {
 public:
  using Handle = std::size_t;
  virtual ~Host() = default;

  virtual const catalog::Entity& entity(Handle record) const = 0;  // its final type
  virtual Value get(Handle record, const catalog::Property& property) const = 0;
  std::int64_t get_key(Handle record) const {  // of one part; 0 for others
    const catalog::Entity& type = entity(record);
    const Value key = type.key.size() == 1 ? get(record, *type.key.front()) : Value();
    const auto* number = std::get_if<std::int64_t>(&key);
    return number ? *number : 0;
  }
  virtual Value get_before(Handle record, const catalog::Property& property) const = 0;  // as the transaction found it
  virtual Result<void> set(Handle record, const catalog::Property& property, Value value) = 0;

  // Another action in the same transaction, with all its conditions.
  virtual Result<void> act(Handle record, std::string_view action, const NamedValues& input) = 0;

  using Key = std::vector<std::int64_t>;  // its parts
  virtual Result<std::optional<Handle>> find(const catalog::Entity& entity, const Key& key) = 0;
  // Records whose properties equal one of the values given for each; by key, at most 1,000.
  using Match = std::map<const catalog::Property*, std::vector<Value>>;
  virtual Result<std::vector<Handle>> search(const catalog::Entity& entity, const Match& match) = 0;
  // The same in the language of $filter, whose '?' stand for values: bound, never part of its text.
  struct Query {
    std::string filter;  // empty: all
    struct Given {
      std::vector<Value> values;
      bool is_list = false;
    };
    std::vector<Given> given;
    std::string orderby;             // empty: by key
    std::optional<std::size_t> top;  // nothing: all, which are at most 1,000 or an error
  };
  virtual Result<std::vector<Handle>> search(const catalog::Entity& entity, const Query& query) = 0;
  virtual Result<std::int64_t> count(const catalog::Entity& entity, const Query& query) = 0;
  virtual std::size_t placeholders(std::string_view filter) const = 0;  // how many '?' it has
  // With the entity's create action: hooks, history, events. Read-only properties may be given.
  virtual Result<Handle> create(const catalog::Entity& entity, const NamedValues& values) = 0;
  // The action's script returned this record: it is what the client is answered with.
  virtual void answer(Handle record) = 0;
  virtual void answer(NamedValues values) = 0;  // or these, which are those of its `answers`
  virtual void raise(Handle record, std::string_view event) = 0;
  // `hash`: what the script got for a parameter that is a new secret.
  virtual Result<void> keep_secret(Handle record, std::string_view hash) = 0;
  // How many statements its transaction has made of the database so far; a search counts as one.
  virtual std::size_t statements() const { return 0; }
  // A new random secret for a sealed property; the client is told it this once.
  virtual Result<void> make_secret(Handle record, const catalog::Property& property) = 0;
};

// What a Host answers where a script asks for what it may not: the script's own error, told in its line. Any thread.
Error mistake(std::string what);
bool is_mistake(const Error& error);

}  // namespace callisto::script
