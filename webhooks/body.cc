#include "webhooks/body.h"

#include "engine/base/base64.h"
#include "engine/base/running_digest.h"
#include "engine/base/sql.h"
#include "engine/base/text.h"

#include <algorithm>
#include <utility>

namespace callisto::webhooks {

using storage::Connection;

namespace {

constexpr std::size_t long_text = std::size_t{32} * 1024;

struct Piece {
  std::size_t place = 0;
  const Body::File* file = nullptr;  // null: a text
  std::string_view text;
};

struct Pieces {
  std::string rest;  // what is kept with the body itself
  std::vector<Piece> pieces;
};

std::size_t end_of_string(std::string_view json, std::size_t at) {
  for (; at < json.size(); ++at) {
    if (json[at] == '\\') ++at;
    else if (json[at] == '"') return at;
  }
  return json.size();
}

// Strings of the JSON that are long, as far as no file stands inside of them.
std::vector<std::pair<std::size_t, std::size_t>> long_texts(const Body& body) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  const std::string_view json = body.text;
  if (json.size() < long_text) return found;
  for (std::size_t at = 0; (at = json.find('"', at)) != json.npos;) {
    const std::size_t end = end_of_string(json, at + 1);
    std::size_t from = at + 1;
    const auto add = [&](std::size_t to) {
      if (to - from >= long_text) found.emplace_back(from, to);
      from = to;
    };
    for (const Body::File& file : body.files)
      if (file.place >= from && file.place < end) add(file.place);
    add(end);
    at = end + 1;
  }
  return found;
}

Pieces cut(const Body& body) {
  Pieces result;
  const auto texts = long_texts(body);
  const std::string_view all = body.text;
  std::size_t done = 0;
  auto file = body.files.begin();
  const auto take_files = [&](std::size_t to) {
    for (; file != body.files.end() && file->place <= to; ++file) {
      result.rest += all.substr(done, file->place - done);
      done = file->place;
      result.pieces.push_back({result.rest.size(), &*file, {}});
    }
  };
  for (const auto& [from, to] : texts) {
    take_files(from);
    result.rest += all.substr(done, from - done);
    result.pieces.push_back({result.rest.size(), nullptr, all.substr(from, to - from)});
    done = to;
  }
  take_files(all.size());
  result.rest += all.substr(done);
  return result;
}

std::string text_of(const FileSource& source) {
  return source.table + " " + source.key_column + " " + source.content_column;
}

// Empty where it is none: identifiers are checked, whoever wrote them.
Sql content_of(const FileSource& source) {
  for (const std::string* name : {&source.table, &source.key_column, &source.content_column})
    if (!SqlIdentifier::is_valid(*name)) return {};
  Sql sql;
  sql << SqlIdentifier::of(source.content_column) << " FROM " << SqlIdentifier::of(source.table) << " WHERE "
      << SqlIdentifier::of(source.key_column) << " = ";
  return sql;
}

FileSource parsed(std::string_view names) {
  const auto words = text::split(names, ' ');
  if (words.size() != 3) return {};
  return {std::string(words[0]), std::string(words[1]), std::string(words[2])};
}

// False where they are not those of then.
Result<bool> append_file(Connection& connection, const FileSource& source, std::int64_t key, std::int64_t bytes,
                         std::string& out) {
  const Sql content = content_of(source);
  if (content.empty()) return false;
  Sql sql("SELECT ");
  sql << content << "?1";
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(key)}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return false;
  const std::string_view stored = row->is_null(0) ? std::string_view() : row->text(0);
  if (static_cast<std::int64_t>(stored.size()) != bytes) return false;
  append_base64(out, stored, Base64::Padded);
  return true;
}

Result<bool> append_part(Connection& connection, std::int64_t part, bool is_file, std::string& out) {
  static const Sql sql("SELECT bytes FROM webhook_part WHERE id = ?1");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(part)}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return false;
  if (is_file) append_base64(out, row->text(0), Base64::Padded);
  else out += row->text(0);
  return true;
}

struct KeptPiece {
  std::size_t place = 0;
  std::string source;  // empty: a text
  std::int64_t file = 0, stored = 0, sent = 0;
  std::optional<std::int64_t> part;
};

Result<std::vector<KeptPiece>> pieces_of(Connection& connection, std::int64_t body) {
  static const Sql sql(
      "SELECT place, source, file, stored, sent, part FROM webhook_body_part WHERE body = ?1 ORDER BY nth");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(body)}));
  std::vector<KeptPiece> pieces;
  for (;;) {
    CALLISTO_TRY(const bool more, row->step());
    if (!more) return pieces;
    KeptPiece piece;
    piece.place = static_cast<std::size_t>(row->integer(0));
    if (!row->is_null(1)) piece.source = row->text(1);
    if (!row->is_null(2)) piece.file = row->integer(2);
    piece.stored = row->integer(3);
    piece.sent = row->integer(4);
    if (!row->is_null(5)) piece.part = row->integer(5);
    pieces.push_back(std::move(piece));
  }
}

Result<std::int64_t> keep_text(Connection& connection, std::string_view text, DateTime now) {
  static const Sql find("SELECT id FROM webhook_part WHERE digest = ?1");
  static const Sql insert("INSERT INTO webhook_part (id, created_at, digest, bytes) VALUES (?1, ?2, ?3, ?4)");
  const Value digest(sha256_hex(text));
  {
    CALLISTO_TRY(const auto row, connection.query(find, {digest}));
    CALLISTO_TRY(const bool found, row->step());
    if (found) return row->integer(0);
  }
  CALLISTO_TRY(const std::int64_t id, connection.next_ids("webhook_part", 1));
  CALLISTO_CHECK(connection.execute(insert, {Value(id), Value(now), digest, Value(Binary{std::string(text)})}));
  return id;
}

Result<void> keep_piece(Connection& connection, std::int64_t body, std::size_t nth, const Piece& piece, DateTime now) {
  static const Sql sql(
      "INSERT INTO webhook_body_part (body, nth, place, source, file, stored, sent, part) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
  const auto whole = [](std::size_t number) { return Value(static_cast<std::int64_t>(number)); };
  std::vector<Value> values{Value(body), whole(nth), whole(piece.place)};
  if (piece.file) {
    for (Value& value :
         std::vector<Value>{Value(text_of(piece.file->source)), Value(piece.file->key), Value(piece.file->bytes),
                            whole(base64_size(piece.file->bytes)), Value(Null{})})
      values.push_back(std::move(value));
  } else {
    CALLISTO_TRY(const std::int64_t part, keep_text(connection, piece.text, now));
    for (Value& value : std::vector<Value>{Value(Null{}), Value(Null{}), whole(piece.text.size()),
                                           whole(piece.text.size()), Value(part)})
      values.push_back(std::move(value));
  }
  CALLISTO_CHECK(connection.execute(sql, values));
  return {};
}

}  // namespace

FileSource source_of(const catalog::Property& content) {
  const catalog::Entity& root = content.owner->root();
  return {root.table.text(), root.key.front()->column.text(), content.column.text()};
}

std::size_t base64_size(std::int64_t bytes) {
  return (static_cast<std::size_t>(std::max<std::int64_t>(0, bytes)) + 2) / 3 * 4;
}

void Body::append(const Body& other) {
  for (File file : other.files) {
    file.place += text.size();
    files.push_back(std::move(file));
  }
  text += other.text;
}

void Body::append_file(const FileSource& source, std::int64_t key, std::int64_t bytes) {
  files.push_back({text.size(), source, key, bytes});
}

Result<std::int64_t> keep_body(Connection& connection, const Body& body, DateTime now) {
  static const Sql sql("INSERT INTO webhook_body (id, created_at, body) VALUES (?1, ?2, ?3)");
  CALLISTO_TRY(const std::int64_t id, connection.next_ids("webhook_body", 1));
  Pieces parts = cut(body);
  CALLISTO_CHECK(connection.execute(sql, {Value(id), Value(now), Value(Binary{std::move(parts.rest)})}));
  for (std::size_t nth = 0; nth < parts.pieces.size(); ++nth)
    CALLISTO_CHECK(keep_piece(connection, id, nth, parts.pieces[nth], now));
  return id;
}

Result<std::optional<std::string>> read_body(Connection& connection, std::int64_t body) {
  static const Sql sql("SELECT body FROM webhook_body WHERE id = ?1");
  CALLISTO_TRY(const auto moment, storage::ReadTransaction::begin(connection));
  std::string rest;
  {
    CALLISTO_TRY(const auto row, connection.query(sql, {Value(body)}));
    CALLISTO_TRY(const bool found, row->step());
    if (!found) return std::optional<std::string>();
    rest = row->text(0);
  }
  CALLISTO_TRY(const auto pieces, pieces_of(connection, body));
  if (pieces.empty()) return std::optional(std::move(rest));
  std::size_t size = rest.size(), done = 0;
  for (const KeptPiece& piece : pieces) size += static_cast<std::size_t>(piece.sent);
  std::string out;
  out.reserve(size);
  for (const KeptPiece& piece : pieces) {
    out.append(rest, done, piece.place - done);
    done = piece.place;
    CALLISTO_TRY(const bool there, piece.part
                                       ? append_part(connection, *piece.part, !piece.source.empty(), out)
                                       : append_file(connection, parsed(piece.source), piece.file, piece.stored, out));
    if (!there) return std::optional<std::string>();
  }
  out.append(rest, done);
  return std::optional(std::move(out));
}

Result<std::optional<std::string>> compose(Connection& connection, const Body& body) {
  std::string out;
  std::size_t done = 0;
  for (const Body::File& file : body.files) {
    out.append(body.text, done, file.place - done);
    done = file.place;
    CALLISTO_TRY(const bool there, append_file(connection, file.source, file.key, file.bytes, out));
    if (!there) return std::optional<std::string>();
  }
  out.append(body.text, done);
  return std::optional(std::move(out));
}

Result<void> keep_replaced(Connection& connection, const FileSource& source, std::int64_t key, DateTime now) {
  static const Sql find("SELECT 1 FROM webhook_body_part WHERE file = ?1 AND source = ?2 AND part IS NULL LIMIT 1");
  static const Sql point("UPDATE webhook_body_part SET part = ?3 WHERE file = ?1 AND source = ?2 AND part IS NULL");
  const Value from(text_of(source));
  {
    CALLISTO_TRY(const auto row, connection.query(find, {Value(key), from}));
    CALLISTO_TRY(const bool found, row->step());
    if (!found) return {};
  }
  const Sql content = content_of(source);
  CALLISTO_TRY(const std::int64_t id, connection.next_ids("webhook_part", 1));
  Sql copy("INSERT INTO webhook_part (id, created_at, digest, bytes) SELECT ?1, ?2, NULL, ");
  copy << content << "?3 AND " << SqlIdentifier::of(source.content_column) << " IS NOT NULL";
  CALLISTO_TRY(const std::int64_t kept, connection.execute(copy, {Value(id), Value(now), Value(key)}));
  if (kept > 0) CALLISTO_CHECK(connection.execute(point, {Value(key), from, Value(id)}));
  return {};
}

Result<void> remove_body(Connection& connection, std::int64_t body) {
  static const Sql remove(
      "DELETE FROM webhook_body WHERE id = ?1 "
      "AND NOT EXISTS (SELECT 1 FROM \"webhook_delivery\" WHERE \"BodyRef\" = ?1)");
  static const Sql remove_pieces("DELETE FROM webhook_body_part WHERE body = ?1");
  static const Sql remove_part(
      "DELETE FROM webhook_part WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM webhook_body_part WHERE part = ?1)");
  CALLISTO_TRY(const std::int64_t removed, connection.execute(remove, {Value(body)}));
  if (removed == 0) return {};
  CALLISTO_TRY(const auto pieces, pieces_of(connection, body));
  CALLISTO_CHECK(connection.execute(remove_pieces, {Value(body)}));
  for (const KeptPiece& piece : pieces)
    if (piece.part) CALLISTO_CHECK(connection.execute(remove_part, {Value(*piece.part)}));
  return {};
}

}  // namespace callisto::webhooks
