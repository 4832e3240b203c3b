#include "engine/importing/write/journal.h"

#include "engine/auth/token.h"

namespace callisto::importing {

namespace {

std::string digest_of(std::string_view map, std::string_view data) {
  return auth::stored(auth::digest_of(auth::stored(auth::digest_of(map)) + auth::stored(auth::digest_of(data))));
}

}  // namespace

Journal::Journal(std::string_view map, std::string_view data, Names names)
    : digest_(digest_of(map, data)), names_(std::move(names)) {}

Result<Done> Journal::read(storage::Connection& connection) const {
  Done done;
  {
    CALLISTO_TRY(auto row,
                 connection.query(Sql("SELECT groups_done FROM import_progress WHERE digest = ?1"), {digest_}));
    CALLISTO_TRY(const bool found, row->step());
    if (!found) return done;
    done.groups = static_cast<std::size_t>(row->integer(0));
  }
  CALLISTO_TRY(auto counts,
               connection.query(Sql("SELECT entity, made FROM import_count WHERE digest = ?1"), {digest_}));
  for (;;) {
    CALLISTO_TRY(const bool found, counts->step());
    if (!found) break;
    done.counts.emplace(counts->text(0), counts->integer(1));
  }
  CALLISTO_TRY(auto rows, connection.query(Sql("SELECT position FROM import_rejected WHERE digest = ?1"), {digest_}));
  for (;;) {
    CALLISTO_TRY(const bool found, rows->step());
    if (!found) return done;
    done.rejected.insert(static_cast<std::size_t>(rows->integer(0)));
  }
}

Result<void> Journal::write(storage::Connection& connection, std::size_t groups, const Done& added,
                            DateTime now) const {
  CALLISTO_CHECK(connection.execute(
      Sql("INSERT INTO import_progress (digest, file, map, groups_done, started_at, updated_at) "
          "VALUES (?1, ?2, ?3, ?4, ?5, ?5) "
          "ON CONFLICT (digest) DO UPDATE SET groups_done = excluded.groups_done, updated_at = excluded.updated_at"),
      {digest_, names_.file, names_.map, static_cast<std::int64_t>(groups), now}));
  for (const auto& [entity, made] : added.counts)
    CALLISTO_CHECK(
        connection.execute(Sql("INSERT INTO import_count (digest, entity, made) VALUES (?1, ?2, ?3) "
                               "ON CONFLICT (digest, entity) DO UPDATE SET made = import_count.made + excluded.made"),
                           {digest_, entity, made}));
  for (const std::size_t row : added.rejected)
    CALLISTO_CHECK(connection.execute(Sql("INSERT INTO import_rejected (digest, position) VALUES (?1, ?2)"),
                                      {digest_, static_cast<std::int64_t>(row)}));
  return {};
}

}  // namespace callisto::importing
