#include "engine/api/answers/row_writer.h"

#include "engine/api/links.h"
#include "engine/base/datetime.h"
#include "engine/base/text.h"
#include "engine/json/write.h"
#include "engine/records/values.h"

#include <cstring>

namespace callisto::api {

using catalog::DataType;
using query::ShapeNode;

namespace {

void append_words(std::string& out, std::string_view words) {
  json::Writer writer(out);
  writer.begin_array();
  for (const std::string_view word : text::split(words, ' '))
    if (!word.empty()) writer.string(word);
  writer.end_array();
}

void append_whole(std::string& out, std::int64_t number, const catalog::Property& property) {
  if (property.type == DataType::DateTime) {
    out += '"';
    append_iso8601(out, DateTime{number});
    out += '"';
  } else if (property.type == DataType::Decimal) {
    json::append_decimal(out, Decimal{number, property.scale});
  } else {
    json::append_integer(out, number);
  }
}

// Another value, and not null.
void append_other(std::string& out, const records::Row& row, std::size_t column, const catalog::Property& property) {
  switch (property.type) {
    case DataType::Boolean:
      out += records::read_boolean(row, column, property) ? "true" : "false";
      return;
    case DataType::Float:
    case DataType::Double:
      json::append_double(out, row.real(column));
      return;
    case DataType::Binary:
      json::append_base64(out, row.text(column));
      return;
    default:
      if (property.sealed) json::append_string(out, catalog::system::sealed_mask);
      else if (property.list) append_words(out, row.text(column));
      else json::append_string(out, row.text(column));
  }
}

void append_lead(std::string& out, std::string_view name) {
  out += ',';
  json::append_string(out, name);
  out += ':';
}

// Members of that name as JSON, one behind the other.
class Members {
 public:
  Members(const std::string& lead, const std::vector<Value>& values) {
    ends_.reserve(values.size() + 1);
    ends_.push_back(0);
    for (const Value& value : values) {
      all_ += lead;
      json::append_value(all_, value);
      ends_.push_back(all_.size());
    }
  }
  std::string_view operator[](std::size_t place) const {
    return std::string_view(all_).substr(ends_[place], ends_[place + 1] - ends_[place]);
  }

 private:
  std::string all_;
  std::vector<std::size_t> ends_;
};

}  // namespace

RowWriter::RowWriter(const query::Plan& plan, std::string_view version)
    : version_(version), identity_(identity(*plan.entity, plan.key_columns, plan.type_column)) {
  for (const query::ExtensionUse& use : plan.extensions) append_lead(leads_.emplace_back(), use.name);
  for (const ShapeNode& shape : plan.shape) nodes_.push_back(compile(plan, shape));
}

RowWriter::Identity RowWriter::identity(const catalog::Entity& entity, std::vector<std::size_t> keys,
                                        std::optional<std::size_t> type) const {
  Identity result{{}, type, std::move(keys), entity.key};
  const std::vector<const catalog::Entity*> types =
      type ? entity.root().final_types() : std::vector<const catalog::Entity*>{&entity};
  for (const catalog::Entity* each : types) {
    // API rule 3.3: a composite key's _self is the search that finds it.
    const bool composite = each->key.size() > 1;
    result.heads.push_back({each, "{\"_context\":\"" + link(version_, each->name + "/$metadata") + "\",\"_self\":\"" +
                                      link(version_, each->name + (composite ? "?$filter=" : "/"))});
  }
  return result;
}

RowWriter::Node RowWriter::compile(const query::Plan& plan, const ShapeNode& shape) const {
  Node node{shape.kind, {}, shape.column, shape.property, shape.bare_key_column};
  append_lead(node.lead, shape.name);
  if (shape.kind == ShapeNode::Kind::Extension) node.column = shape.extension;
  if (shape.kind == ShapeNode::Kind::Value) {
    node.empty = node.lead + (shape.property->list ? "[]" : "null");
    node.whole = records::is_stored_whole(*shape.property);
  }
  if (shape.kind != ShapeNode::Kind::Object) return node;
  if (shape.entity) node.identity = identity(*shape.entity, shape.key_columns, shape.type_column);
  for (const ShapeNode& child : shape.children) node.children.push_back(compile(plan, child));
  return node;
}

const RowWriter::Head& RowWriter::head_of(const Identity& identity, const records::Row& row) {
  if (identity.type_column) {
    const std::string_view type = row.text(*identity.type_column);
    for (const Head& head : identity.heads)
      if (head.entity->name == type) return head;
  }
  return identity.heads.front();
}

void RowWriter::append_identity(std::string& out, const Identity& identity, const records::Row& row) {
  if (identity.key_columns.empty()) return;
  out += head_of(identity, row).opening;
  if (identity.key_columns.size() == 1) {
    json::append_integer(out, row.integer(identity.key_columns.front()));
  } else {
    for (std::size_t i = 0; i < identity.key_columns.size(); ++i) {
      if (i > 0) out += "%26%26";
      out += identity.key[i]->name;
      out += "%3d%3d";
      json::append_integer(out, row.integer(identity.key_columns[i]));
    }
  }
  out += '"';
}

void RowWriter::append_object(std::string& out, const Node& node, const records::Row& row, std::size_t number,
                              Gaps& gaps) {
  if (node.identity.key_columns.empty()) return append_members(out, node, row, number, gaps);
  if (row.is_null(node.identity.key_columns.front())) {
    // API rule 2.9: of a related row outside the session's partitions only the bare key is shown.
    if (node.bare_key_column && !row.is_null(*node.bare_key_column))
      json::append_integer(out, row.integer(*node.bare_key_column));
    else out += "null";
    return;
  }
  append_identity(out, node.identity, row);
  for (const Node& child : node.children) append_node(out, child, row, number, gaps);
  out += '}';
}

// Without a record's identity before them: the first member's comma makes room for the brace.
void RowWriter::append_members(std::string& out, const Node& node, const records::Row& row, std::size_t number,
                               Gaps& gaps) {
  const std::size_t start = out.size();
  for (const Node& child : node.children) append_node(out, child, row, number, gaps);
  out[start] = '{';
  out += '}';
}

void RowWriter::append_stored(std::string& out, const Node& node, const records::Row& row) {
  const auto number = node.whole ? row.integer_or_null(node.column) : std::nullopt;
  if (node.whole ? !number : row.is_null(node.column)) {
    out += node.empty;
    return;
  }
  out += node.lead;
  if (number) append_whole(out, *number, *node.property);
  else append_other(out, row, node.column, *node.property);
}

void RowWriter::append_node(std::string& out, const Node& node, const records::Row& row, std::size_t number,
                            Gaps& gaps) {
  if (node.kind == ShapeNode::Kind::Value) return append_stored(out, node, row);
  if (node.kind == ShapeNode::Kind::Extension) return void(gaps.push_back({out.size(), node.column, number}));
  out += node.lead;
  append_object(out, node, row, number, gaps);
}

void RowWriter::append_open(std::string& out, const records::Row& row, std::size_t number, Gaps& gaps,
                            const Overrides* overrides) const {
  const std::size_t start = out.size();
  append_identity(out, identity_, row);
  for (const Node& node : nodes_) {
    const bool may_differ = overrides && node.kind == ShapeNode::Kind::Value;
    const auto text = may_differ ? overrides->find(node.property) : Overrides::const_iterator();
    if (may_differ && text != overrides->end()) json::append_string(out += node.lead, text->second);
    else append_node(out, node, row, number, gaps);
  }
  out[start] = '{';
}

// Under the property's own name, behind underscores where another member has that.
void RowWriter::append_unselected(std::string& out, const Overrides& overrides) const {
  for (const auto& [property, text] : overrides) {
    const auto shows = [&, shown = property](const Node& node) { return node.property == shown; };
    if (std::any_of(nodes_.begin(), nodes_.end(), shows)) continue;
    std::string name = property->name, lead;
    const auto is_taken = [&](const Node& node) { return node.lead == lead; };
    do {
      lead.clear();
      append_lead(lead, name);
      name.insert(0, 1, '_');
    } while (std::any_of(nodes_.begin(), nodes_.end(), is_taken) ||
             std::find(leads_.begin(), leads_.end(), lead) != leads_.end());
    json::append_string(out += lead, text);
  }
}

Result<void> RowWriter::append_one(std::string& out, const query::Plan& plan, const records::Row& row,
                                   const records::Context& context, const Overrides* overrides) const {
  Gaps gaps;
  append_open(out, row, 0, gaps, overrides);
  if (overrides) append_unselected(out, *overrides);
  if (gaps.empty()) return {};
  records::Extensions extensions(plan);
  extensions.add(row);
  CALLISTO_TRY(const auto values, extensions.values(context));
  fill(out, gaps, values);
  return {};
}

// In place, from the last gap on: a page is larger than what it lacks, and another buffer of its size would be cold.
void RowWriter::fill(std::string& out, const Gaps& gaps, const std::vector<records::Extensions::Values>& values) const {
  std::vector<Members> members;
  members.reserve(values.size());
  for (const auto& each : values) members.emplace_back(leads_[members.size()], each.distinct());
  const auto text_of = [&](const Gap& gap) { return members[gap.extension][values[gap.extension].place(gap.row)]; };
  std::size_t from = out.size(), to = from;
  for (const Gap& gap : gaps) to += text_of(gap).size();
  out.resize(to);
  for (std::size_t i = gaps.size(); i-- > 0; from = gaps[i].offset) {
    const std::string_view text = text_of(gaps[i]);
    const std::size_t behind = from - gaps[i].offset;
    std::memmove(out.data() + to - behind, out.data() + gaps[i].offset, behind);
    to -= behind + text.size();
    std::memcpy(out.data() + to, text.data(), text.size());
  }
}

const catalog::Entity& RowWriter::type_of(const records::Row& row) const { return *head_of(identity_, row).entity; }

}  // namespace callisto::api
