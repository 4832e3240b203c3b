// What exists: entities, their properties, augmenters, actions and sub-resources. Built once by Builder from
// definitions (engine/script reads them from Lua), checked as a whole, then immutable: any thread may read a `const
// Catalog` without a lock. A Catalog owns everything that its pointers lead to; plans bound against it keep it alive by
// shared_ptr.
#pragma once

#include "engine/base/sql.h"
#include "engine/base/value.h"
#include "engine/catalog/action.h"
#include "engine/catalog/data_types.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace callisto::catalog {

struct Entity;

// API rule 3.5; Lookup is its "entity".
enum class PropertyClass { Field, Lookup, Computed, Extension };  // API rule 3.5
const char* name(PropertyClass value);

// Where a definition stands, for messages: "entities/call.lua:7".
struct Origin {
  std::string file;
  int line = 0;
};

// What a stored flag means (API rule 3.5): every text of the list reads as true, whatever the pair.
struct StoredBoolean {
  std::string yes;  // empty pair: stored as the integers 1 and 0
  std::string no;
  bool is_text() const { return !yes.empty(); }
};

struct Property {
  std::string name;
  std::string display_name;
  std::string description;
  DataType type = DataType::Text;
  PropertyClass property_class = PropertyClass::Field;
  std::vector<std::string> display_types;  // API rule 3.5
  const Entity* target = nullptr;          // Lookup only
  const Entity* owner = nullptr;           // the entity whose file declares it
  std::optional<std::size_t> length;       // characters; texts only
  std::vector<std::string> choices;        // the texts that it takes; empty: any
  int scale = 2;                           // Decimal only: digits after the point
  StoredBoolean stored;
  std::optional<Value> default_value;
  const Property* mirror_of = nullptr;  // UserId reads and writes User (API rule 2.15); no column of its own
  SqlIdentifier column;                 // of mirror_of where that is set
  bool is_key = false;
  bool uppercase = false;
  bool required = false;
  bool readonly = false;
  bool internal = false;  // usage Internal
  bool no_search = false;
  bool sealed = false;  // a secret text: kept encrypted, read as asterisks (base/sealer.h)
  bool list = false;    // several words: an array of texts in JSON, kept as one text with blanks between
  bool indexed = false;
  bool unindexed = false;    // a lookup without the index that lookups have
  bool leads_index = false;  // an Index begins with it
  bool in_index = false;     // an Index is ordered by it, at any place
  bool searchable = false;
  bool query_alias = false;           // accepted in queries, not listed in metadata (call-history's Ref)
  std::vector<std::string> formerly;  // names that it had: what is stored under one of them is its own
  // Who may read and write it (API rule 4.12); absent: whoever may read and change the record.
  std::optional<Grants> read, write;
  Origin origin;
  Origin rights_origin;              // of `read` and `write`
  std::map<std::string, int> lines;  // of "read/User" and the like, where they stand on other lines
};

enum class AugmenterKind { Condition, Function, Token, Extension };  // API rule 2.12
const char* name(AugmenterKind kind);

struct Augmenter {
  std::string name;  // without '@'
  AugmenterKind kind = AugmenterKind::Token;
  std::string description;
  std::string filter;                 // Condition: its predicate, in the $filter language
  int filter_line = 0;                // in origin.file
  DataType returns = DataType::Text;  // Function, Token, Extension
  struct Parameter {
    std::string name;
    DataType type = DataType::Text;
  };
  std::vector<Parameter> parameters;  // Function
  bool constant = false;              // Function: the same arguments always give the same value (folded when bound)
  std::vector<std::string> needs;     // Extension: property paths fetched with the page
  // Where several files make it together: what each of them says. Those that add code have no filter.
  std::vector<FilterPart> parts;
  std::vector<int> after;  // Token, Function, Extension: code of files that add to it, by the order that it runs in
  // The engine's own condition @InState("Open*"): whether the state has one of the names that its argument stands for.
  bool of_states = false;
  bool batch = false;  // Extension: the script offers `values(records, session)`
  int script = -1;     // Token, Function, Extension: number of its code in script::Program; -1 none
  Origin origin;
};

// A list below a record: call/{id}/attachment, call/{id}/history.
struct SubResource {
  std::string name;                // path segment, kebab-case: "attachment"
  const Entity* entity = nullptr;  // what it lists
  // The rows of `entity` below a parent p: child.link == p.Ref, and where type_link is set child.type_link == p's final
  // entity name or that of one of its parents (attachment: EntityRef, EntityType).
  const Property* link = nullptr;
  const Property* type_link = nullptr;
  Origin origin;
};

// Several properties of an entity by which its rows are found and walked in order.
struct Index {
  struct Part {
    const Property* property = nullptr;
    bool descending = false;
    bool operator==(const Part&) const = default;
  };
  std::vector<Part> parts;
  std::vector<const Property*> covers;  // read from it, without the row
  std::vector<const Property*> set;     // only rows in which none of these is null
  Origin origin;
};

enum class Status { Alpha, Beta, GA };
const char* name(Status status);

struct Entity {
  std::string name;         // canonical, kebab-case: "call-history"
  std::string pascal_name;  // "CallHistory"
  std::string display_name;
  std::string description;
  Status status = Status::GA;
  const Entity* parent = nullptr;
  std::vector<const Entity*> children;  // direct
  bool abstract = false;                // never a row's final type
  bool top_level = false;               // listed by the root metadata
  bool partitioned = false;             // rows limited to the session's partitions
  bool history = false;
  bool attachments = false;
  bool deletable = true;  // rows carry IsDeleted
  std::string core_type;  // the family that webhooks know it by: "Call"; empty: nobody outside is told of it

  std::vector<std::string> formerly;  // names that it had: rows of one of them are its own

  SqlIdentifier table;                       // of the root of its hierarchy
  const Property* type_column = nullptr;     // Internal property RecordType where the table mixes types, else null
  std::vector<const Property*> properties;   // inherited first, in order of declaration; query aliases last
  std::vector<const Property*> key;          // one (Ref), or several for a composite key
  const Property* label = nullptr;           // by which people know a record; null: by its key
  std::vector<const Property*> summary;      // what a search without $select returns
  std::vector<const Augmenter*> augmenters;  // usable here: own, inherited, common; nearest wins by name
  std::vector<SubResource> sub_resources;
  std::vector<Index> indexes;          // of its own file; of its table are those of all of its hierarchy
  const StateSet* states = nullptr;    // null: its records have no states
  std::vector<const Action*> actions;  // create, update, delete, then its own by name; inherited ones too
  const Action* read = nullptr;        // who sees which records; null: nobody
  // Brings a deleted record back; null: nothing does. One of `actions`, unless one of those has its name.
  const Action* restore = nullptr;
  Hooks hooks;  // common, inherited, own
  Origin origin;

  const Action* find_action(std::string_view any_case) const;        // by path or PascalCase name
  const Property* find_property(std::string_view exact_name) const;  // case sensitive; null when there is none
  const Augmenter* find_augmenter(std::string_view exact_name) const;
  const SubResource* find_sub_resource(std::string_view any_case) const;
  const Property* limiting_partition() const;  // what limits its rows to sessions; never null in a row; null: no limit
  bool is_or_extends(const Entity& other) const;
  const Entity& root() const;                      // top of its hierarchy (itself where nothing is extended)
  std::vector<const Entity*> final_types() const;  // itself and all descendants that are not abstract

  std::unordered_map<std::string_view, const Property*> property_by_name;  // views of the properties' own names
  std::map<std::string, const Augmenter*, std::less<>> augmenter_by_name;
};

// Names that the engine itself relies on; every entity has these (composite-key entities have no Ref column).
namespace system {
inline constexpr std::string_view key = "Ref";
inline constexpr std::string_view id = "Id";
inline constexpr std::string_view label = "Name";  // by which people know a record, unless its entity says another
inline constexpr std::string_view partition = "Partition";
inline constexpr std::string_view is_deleted = "IsDeleted";  // Internal; @IsDeleted reads it
inline constexpr std::string_view created_date = "CreatedDate";
inline constexpr std::string_view updated_date = "UpdatedDate";
inline constexpr std::string_view created_by = "CreatedBy";
inline constexpr std::string_view updated_by = "UpdatedBy";
inline constexpr std::string_view last_history_order = "LastHistoryOrder";  // where an entity keeps history
// Of an entity whose records are files (API rule 4.6).
inline constexpr std::string_view file_name = "Name";
inline constexpr std::string_view file_type = "ContentType";
inline constexpr std::string_view file_size = "FileSize";
inline constexpr std::string_view file_content = "BinaryData";
inline constexpr std::string_view version = "RecordVersion";   // Internal; ETag
inline constexpr std::string_view entity_type = "RecordType";  // Internal; the final entity's name
inline constexpr std::string_view partition_entity = "partition";
inline constexpr std::string_view person_entity = "person";
// What a sealed property reads as; written back, it keeps what is there.
inline constexpr std::string_view sealed_mask = "********";
inline constexpr std::string_view deleted_condition = "IsDeleted";
inline constexpr std::string_view state_condition = "InState";  // of entities with states
}  // namespace system

class Catalog {
 public:
  const Entity* find(std::string_view any_case_or_pascal) const;  // kebab-case or PascalCase, ignoring case
  // The same, or by a name that it had, as a record that was written before may still call it.
  const Entity* find_written(std::string_view name) const;
  const std::vector<std::unique_ptr<Entity>>& entities() const { return entities_; }
  std::vector<std::string_view> entity_names() const;

 private:
  friend class Builder;
  std::vector<std::unique_ptr<Entity>> entities_;  // sorted by name
  std::vector<std::unique_ptr<Property>> properties_;
  std::vector<std::unique_ptr<Augmenter>> augmenters_;
  std::vector<std::unique_ptr<Action>> actions_;
  std::vector<std::unique_ptr<StateSet>> state_sets_;
  std::map<std::string, const Entity*, std::less<>> by_folded_name_;
};

}  // namespace callisto::catalog
