#include "engine/records/state_rows.h"

#include "engine/base/text.h"
#include "engine/records/insert.h"
#include "engine/records/values.h"

#include <algorithm>
#include <map>
#include <optional>

namespace callisto::records {

namespace {

using catalog::Entity;
using catalog::Property;
using catalog::State;

// The states that one list names, by number: what entities nearer to the root say comes first.
using StatesOfList = std::map<const Entity*, std::map<std::int64_t, const State*>>;

std::size_t depth_of(const Entity& entity) {
  std::size_t depth = 0;
  for (const Entity* above = entity.parent; above; above = above->parent) ++depth;
  return depth;
}

StatesOfList states_of(const catalog::Catalog& catalog) {
  std::vector<const Entity*> entities;
  for (const auto& entity : catalog.entities())
    if (entity->states && entity->states->property && entity->states->property->target)
      entities.push_back(entity.get());
  std::stable_sort(entities.begin(), entities.end(),
                   [](const Entity* a, const Entity* b) { return depth_of(*a) < depth_of(*b); });
  StatesOfList states;
  for (const Entity* entity : entities) {
    const Entity* list = entity->states->property->target;
    if (list->key.size() != 1 || list->abstract) continue;
    for (const State& state : entity->states->states) states[list].emplace(state.value, &state);
  }
  return states;
}

const Property* text_property(const Entity& list, std::string_view name) {
  const Property* property = list.find_property(name);
  return property && catalog::is_text(property->type) && !property->mirror_of ? property : nullptr;
}

const Property* name_property(const Entity& list) {
  const Property* label = list.label ? list.label : list.find_property(catalog::system::label);
  return label && catalog::is_text(label->type) && !label->mirror_of ? label : nullptr;
}

struct Row {
  std::optional<std::string> name;
  bool is_deleted = false;
};

Result<std::map<std::int64_t, Row>> rows_of(storage::Connection& connection, const Entity& list) {
  const Property* name = name_property(list);
  const Property* deleted = list.deletable ? list.find_property(catalog::system::is_deleted) : nullptr;
  if (deleted && deleted->stored.is_text()) deleted = nullptr;
  Sql sql("SELECT ");
  sql << list.key.front()->column << ", " << (name ? name->column : list.key.front()->column) << ", ";
  if (deleted) sql << deleted->column;
  else sql << "0";
  sql << " FROM " << list.table;
  std::map<std::int64_t, Row> found;
  CALLISTO_TRY(const auto rows, connection.query(sql, {}));
  for (;;) {
    CALLISTO_TRY(const bool more, rows->step());
    if (!more) return found;
    Row& row = found[rows->integer(0)];
    if (name && !rows->is_null(1)) row.name = std::string(rows->text(1));
    row.is_deleted = !rows->is_null(2) && rows->integer(2) != 0;
  }
}

bool is_former(const State& state, const Row& row) {
  return row.name && std::find(state.formerly.begin(), state.formerly.end(), *row.name) != state.formerly.end();
}

// What the list demands and a state does not say.
std::string missing(const Entity& list) {
  const Property* name = name_property(list);
  std::string names;
  for (const Property* property : list.properties)
    if (property->required && property != name && !property->is_key && !property->internal && !property->mirror_of &&
        !property->default_value)
      names += (names.empty() ? "" : ", ") + property->name;
  return names;
}

void put_text(NewRow& row, const Property* property, const std::string& text) {
  if (!property || text.empty()) return;
  if (property->length && text::length(text) > *property->length) return;
  row.values.emplace(property, text);
}

class Keeper {
 public:
  Keeper(const Model& model, storage::Connection& connection, DateTime now, Random& random)
      : connection_(connection), now_(now), inserter_(model.store, connection, now, random) {}

  Result<void> keep(const Entity& list, const std::map<std::int64_t, const State*>& states) {
    CALLISTO_TRY(const auto rows, rows_of(connection_, list));
    for (const auto& [value, state] : states) {
      const auto row = rows.find(value);
      if (row == rows.end()) CALLISTO_CHECK(make(list, *state));
      else CALLISTO_CHECK(mend(list, *state, row->second));
    }
    return {};
  }
  Result<void> finish() { return inserter_.finish(); }

  KeptStates kept;

 private:
  Result<void> make(const Entity& list, const State& state) {
    const std::string names = missing(list);
    const Property* name = name_property(list);
    const bool is_too_long = name && name->length && text::length(state.name) > *name->length;
    if (!names.empty() || is_too_long) {
      kept.impossible.push_back(state.file + ":" + std::to_string(state.line) + ": " + list.name + " has no row " +
                                std::to_string(state.value) + " for state " + text::quoted(state.name) +
                                ", and none can be made: " +
                                (is_too_long ? name->name + " has at most " + std::to_string(*name->length) +
                                                   " characters; give it more, or the state a shorter name"
                                             : names + " is required; give it a default"));
      return {};
    }
    NewRow row{&list, {}};
    row.values.emplace(list.key.front(), state.value);
    put_text(row, name_property(list), state.name);
    put_text(row, text_property(list, "Description"), state.description);
    CALLISTO_CHECK(inserter_.insert(row));
    ++kept.made;
    return {};
  }

  Result<void> mend(const Entity& list, const State& state, const Row& row) {
    if (row.is_deleted) {
      CALLISTO_CHECK(set(list, state, *list.find_property(catalog::system::is_deleted), std::int64_t{0}));
      ++kept.restored;
    }
    if (!is_former(state, row)) return {};
    CALLISTO_CHECK(set(list, state, *name_property(list), state.name));
    ++kept.renamed;
    return {};
  }

  Result<void> set(const Entity& list, const State& state, const Property& property, const Value& value) {
    std::vector<Value> values{value, state.value};
    Sql sql("UPDATE ");
    (sql << list.table << " SET " << property.column << " = ").parameter(1);
    if (const Property* date = list.find_property(catalog::system::updated_date)) {
      values.emplace_back(now_);
      (sql << ", " << date->column << " = ").parameter(values.size());
    }
    if (const Property* version = list.find_property(catalog::system::version))
      sql << ", " << version->column << " = " << version->column << " + 1";
    (sql << " WHERE " << list.key.front()->column << " = ").parameter(2);
    CALLISTO_CHECK(connection_.execute(sql, values));
    return {};
  }

  storage::Connection& connection_;
  const DateTime now_;
  Inserter inserter_;
};

}  // namespace

Result<KeptStates> keep_state_rows(const Model& model, storage::Connection& connection, DateTime now, Random& random) {
  Keeper keeper(model, connection, now, random);
  for (const auto& [list, states] : states_of(model.catalog())) CALLISTO_CHECK(keeper.keep(*list, states));
  CALLISTO_CHECK(keeper.finish());
  return std::move(keeper.kept);
}

Result<bool> lacks_state_rows(const Model& model, storage::Connection& connection) {
  for (const auto& [list, states] : states_of(model.catalog())) {
    CALLISTO_TRY(const auto rows, rows_of(connection, *list));
    for (const auto& [value, state] : states) {
      const auto row = rows.find(value);
      if (row == rows.end() || row->second.is_deleted || is_former(*state, row->second)) return true;
    }
  }
  return false;
}

}  // namespace callisto::records
