#include "webhooks/snapshot.h"

#include "engine/base/text.h"
#include "engine/json/read.h"
#include "engine/json/write.h"
#include "engine/storage/dialect.h"

#include <string>
#include <utility>
#include <vector>

namespace callisto::webhooks {

using storage::Connection;

namespace {

enum class Kind { Whole, Real, Text, Bytes };
struct Column {
  SqlIdentifier name;
  Kind kind = Kind::Text;
};

Kind kind_of(std::string_view declared) {
  const std::string type = text::ascii_lower(declared);
  if (type.find("int") != type.npos) return Kind::Whole;
  if (type.find("doub") != type.npos || type.find("real") != type.npos || type.find("floa") != type.npos)
    return Kind::Real;
  return type == "blob" || type == "bytea" ? Kind::Bytes : Kind::Text;
}

// Of the record's own table as the database has it, but for its key and for bytes: those that no file defines too.
Result<std::vector<Column>> columns_of(Connection& connection, const catalog::Entity& entity) {
  CALLISTO_TRY(const auto row, connection.query(connection.dialect().list_columns(), {Value(entity.table.text())}));
  std::vector<Column> columns;
  for (;;) {
    CALLISTO_TRY(const bool more, row->step());
    if (!more) return columns;
    const Column column{SqlIdentifier::of(row->text(0)), kind_of(row->text(1))};
    const bool is_key = column.name == entity.key.front()->column;
    if (!is_key && !column.name.text().empty() && column.kind != Kind::Bytes) columns.push_back(column);
  }
}

Sql where_key(const catalog::Entity& entity, std::size_t parameter) {
  Sql sql(" WHERE ");
  sql << entity.key.front()->column << " = ";
  sql.parameter(parameter);
  return sql;
}

void write_value(json::Writer& writer, const storage::Cursor& row, std::size_t place, Kind kind) {
  if (row.is_null(place)) writer.null();
  else if (kind == Kind::Whole) writer.string(std::to_string(row.integer(place)));  // all 64 bits of it
  else if (kind == Kind::Real) writer.real(row.real(place));
  else writer.string(row.text(place));
}

Result<std::string> row_of(Connection& connection, const Subject& subject) {
  CALLISTO_TRY(const auto columns, columns_of(connection, *subject.entity));
  Sql sql("SELECT ");
  for (std::size_t i = 0; i < columns.size(); ++i) sql << (i > 0 ? Sql(", ") : Sql()) << columns[i].name;
  sql << " FROM " << subject.entity->table << where_key(*subject.entity, 1);
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(subject.key)}));
  CALLISTO_TRY(const bool found, row->step());
  std::string json;
  json::Writer writer(json);
  writer.begin_object();
  for (std::size_t i = 0; found && i < columns.size(); ++i) {
    writer.key(columns[i].name.text());
    write_value(writer, *row, i, columns[i].kind);
  }
  writer.end_object();
  return json;
}

Value value_of(const json::Node& node, Kind kind) {
  if (node.is_null()) return Null{};
  if (kind == Kind::Real) return std::strtod(node.text().c_str(), nullptr);
  if (kind == Kind::Whole) return static_cast<std::int64_t>(std::strtoll(node.text().c_str(), nullptr, 10));
  return node.text();
}

// The row as it was then, for whoever reads it before the savepoint is rolled back.
Result<void> restore(Connection& connection, const Subject& subject, const json::Node& values) {
  CALLISTO_TRY(const auto columns, columns_of(connection, *subject.entity));
  Sql sql("UPDATE ");
  sql << subject.entity->table << " SET ";
  std::vector<Value> parameters;
  for (const Column& column : columns) {
    const json::Node* node = values.find(column.name.text());
    if (!node) continue;
    if (!parameters.empty()) sql << ", ";
    parameters.push_back(value_of(*node, column.kind));
    sql << column.name << " = ";
    sql.parameter(parameters.size());
  }
  if (parameters.empty()) return {};
  parameters.emplace_back(subject.key);
  sql << where_key(*subject.entity, parameters.size());
  CALLISTO_CHECK(connection.execute(sql, parameters));
  return {};
}

struct Kept {
  std::int64_t webhook = 0;
  std::string event, entity;
  std::int64_t key = 0;
  std::optional<std::int64_t> person, history_order, file;
  std::string values;
};

Result<std::optional<Kept>> find(Connection& connection, std::int64_t delivery) {
  static const Sql sql(
      "SELECT d.\"Webhook\", d.\"Event\", d.\"EntityType\", d.\"EntityRef\", u.person, u.history_order, u.file, "
      "u.row_values FROM webhook_unmade u JOIN \"webhook_delivery\" d ON d.\"Ref\" = u.delivery WHERE u.delivery = ?1");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(delivery)}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return std::optional<Kept>();
  return std::optional(Kept{row->integer(0), std::string(row->text(1)), std::string(row->text(2)), row->integer(3),
                            row->integer_or_null(4), row->integer_or_null(5), row->integer_or_null(6),
                            std::string(row->text(7))});
}

Result<Happening> happening_of(RecordSource& source, const Kept& kept, const Subscription& subscription) {
  const catalog::Entity* entity = source.catalog().find(kept.entity);
  if (!entity) return invalid_state("there is no entity " + text::quoted(kept.entity));
  Happening happening{kept.event, {entity, kept.key, kept.person, subscription.owner}, kept.history_order, {}, false};
  if (!kept.file) return happening;
  CALLISTO_TRY(const auto files, source.attachments(happening.subject));
  happening.file = Attachment{*kept.file, {}, {}, 0, {}, {}, 0};
  happening.file_is_gone = true;
  for (const Attachment& each : files)
    if (each.ref == *kept.file) {
      happening.file = each;
      happening.file_is_gone = false;
    }
  return happening;
}

Result<Payload> render_as_then(Connection& connection, RecordSource& source, const Kept& kept, bool all_files) {
  CALLISTO_TRY(const auto subscription, find_subscription(connection, kept.webhook));
  if (!subscription) return invalid_state("the webhook is deleted");
  CALLISTO_TRY(const Happening happening, happening_of(source, kept, *subscription));
  CALLISTO_TRY(const json::Node values, json::parse(kept.values));
  CALLISTO_CHECK(restore(connection, happening.subject, values));
  CALLISTO_TRY(const bool wanted, source.satisfies(happening.subject, subscription->filter));
  if (!wanted) return invalid_state("the record as it was is not for this webhook, by its PayloadFilter and its owner");
  return render_payload(source, *subscription, happening, all_files);
}

}  // namespace

Result<void> keep_snapshot(Connection& connection, std::int64_t delivery, const Happening& happening, DateTime now) {
  static const Sql sql(
      "INSERT INTO webhook_unmade (delivery, created_at, person, history_order, file, row_values) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
  const auto number = [](const std::optional<std::int64_t>& value) { return value ? Value(*value) : Value(Null{}); };
  CALLISTO_TRY(std::string values, row_of(connection, happening.subject));
  CALLISTO_CHECK(connection.execute(
      sql, {Value(delivery), Value(now), number(happening.subject.person), number(happening.history_order),
            happening.file ? Value(happening.file->ref) : Value(Null{}), Value(std::move(values))}));
  return {};
}

Result<std::optional<std::int64_t>> make_late(Connection& connection, RecordSource& source, std::int64_t delivery,
                                              bool all_files, DateTime now) {
  static const Sql put("UPDATE \"webhook_delivery\" SET \"BodyRef\" = ?2 WHERE \"Ref\" = ?1 OR \"RedeliveryOf\" = ?1");
  static const Sql drop("DELETE FROM webhook_unmade WHERE delivery = ?1");
  CALLISTO_TRY(const auto kept, find(connection, delivery));
  if (!kept) return std::optional<std::int64_t>();
  CALLISTO_TRY(storage::Savepoint then, storage::Savepoint::begin(connection));
  const auto payload = render_as_then(connection, source, *kept, all_files);
  CALLISTO_CHECK(then.roll_back());
  if (!payload && payload.error().is_unavailable()) return payload.error();  // the database
  if (!payload)
    return invalid_state("The payload of this delivery was never made, and cannot be made now: " +
                         payload.error().message);
  CALLISTO_TRY(const std::int64_t body, keep_body(connection, payload->body, now));
  CALLISTO_CHECK(connection.execute(put, {Value(delivery), Value(body)}));
  CALLISTO_CHECK(connection.execute(drop, {Value(delivery)}));
  return std::optional(body);
}

}  // namespace callisto::webhooks
