// RowWriter: a plan's shape compiled once into ready JSON fragments (decision 0022), then filled for each row straight
// from the cursor: no document tree, no allocation beyond the output buffer. Immutable; any thread.
#pragma once

#include "engine/query/plan.h"
#include "engine/records/extensions.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::api {

class RowWriter {
 public:
  // `version`: the path segment written in links ("v1").
  RowWriter(const query::Plan& plan, std::string_view version);

  // Where an extension, its name too, is still missing.
  struct Gap {
    std::size_t offset = 0;  // in `out`
    std::size_t extension = 0, row = 0;
  };
  using Gaps = std::vector<Gap>;  // in the order of their offsets

  // Texts that are shown this once in place of the row's own, by property.
  using Overrides = std::map<const catalog::Property*, std::string>;

  // {"_context":...,"_self":..., and the selected values, without the closing brace; of a group its values alone.
  void append_open(std::string& out, const records::Row& row, std::size_t number, Gaps& gaps,
                   const Overrides* overrides = nullptr) const;
  // The same of one record, with what its extensions answer. An override that was not selected comes last.
  Result<void> append_one(std::string& out, const query::Plan& plan, const records::Row& row,
                          const records::Context& context, const Overrides* overrides = nullptr) const;
  void fill(std::string& out, const Gaps& gaps, const std::vector<records::Extensions::Values>& values) const;
  const catalog::Entity& type_of(const records::Row& row) const;

 private:
  // Context and self of one final type, as far as they do not depend on the row.
  struct Head {
    const catalog::Entity* entity = nullptr;
    std::string opening;  // {"_context":"api:v1/call/$metadata","_self":"api:v1/call/
  };
  struct Identity {
    std::vector<Head> heads;  // one, or one for each final type
    std::optional<std::size_t> type_column;
    std::vector<std::size_t> key_columns;  // none: values of a group, which is no record
    std::vector<const catalog::Property*> key;
  };
  struct Node {
    query::ShapeNode::Kind kind;
    std::string lead;        // ,"Name":
    std::size_t column = 0;  // Value; Extension: its number
    const catalog::Property* property = nullptr;
    std::optional<std::size_t> bare_key_column = std::nullopt;
    std::string empty = {};  // Value: ,"Name":null
    bool whole = false;      // Value: a whole number in the database
    Identity identity = {};  // Object
    std::vector<Node> children = {};
  };

  Identity identity(const catalog::Entity& entity, std::vector<std::size_t> keys,
                    std::optional<std::size_t> type) const;
  Node compile(const query::Plan& plan, const query::ShapeNode& shape) const;
  static const Head& head_of(const Identity& identity, const records::Row& row);
  static void append_identity(std::string& out, const Identity& identity, const records::Row& row);
  static void append_members(std::string& out, const Node& node, const records::Row& row, std::size_t number,
                             Gaps& gaps);
  static void append_stored(std::string& out, const Node& node, const records::Row& row);
  static void append_node(std::string& out, const Node& node, const records::Row& row, std::size_t number, Gaps& gaps);
  static void append_object(std::string& out, const Node& node, const records::Row& row, std::size_t number,
                            Gaps& gaps);
  void append_unselected(std::string& out, const Overrides& overrides) const;

  std::string version_;
  Identity identity_;
  std::vector<std::string> leads_;  // ,"Name": of the plan's extensions
  std::vector<Node> nodes_;
};

}  // namespace callisto::api
