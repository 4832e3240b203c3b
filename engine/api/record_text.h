// RecordText: one record as JSON, and whether it satisfies a filter, by the texts of $select and $filter, for what the
// server sends unasked. The context's session limits what is found and shown, as it would limit its own request, but
// deleted records are found too. Compiled queries are kept. One thread at a time; a context of the caller's transaction
// each time.
#pragma once

#include "engine/api/answers/row_writer.h"
#include "engine/records/search.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::api {

class RecordText {
 public:
  // `version`: the path segment written in links. `scripts` fold constants and compute extensions; both outlive it.
  RecordText(const records::Model& model, script::State& scripts, std::string version)
      : model_(model), scripts_(scripts), version_(std::move(version)) {}

  // 400 that says what is wrong and where; whoever asks, or will.
  Result<void> check_select(const catalog::Entity& entity, std::string_view select,
                            const query::Fields* fields = nullptr);
  Result<void> check_filter(const catalog::Entity& entity, std::string_view filter,
                            const query::Fields* fields = nullptr);

  // Whether `reader` sees the record and it satisfies the filter (an empty one: every record does), whose augmenters
  // mean the session of `asker`.
  Result<bool> satisfies(const records::Context& reader, const records::Context& asker, const catalog::Entity& entity,
                         std::int64_t key, std::string_view filter);
  struct Text {
    std::string json;               // {"_context":...,"_self":..., and what is selected; every column where nothing is}
    std::vector<std::string> html;  // names of RichText members, at any depth
  };
  // 404 where there is no such record, or `reader` does not see it.
  Result<Text> render(const records::Context& reader, const catalog::Entity& entity, std::int64_t key,
                      std::string_view select);
  // Keys of the files below the record that `reader` sees, deleted ones among them.
  Result<std::set<std::int64_t>> files(const records::Context& reader, const catalog::Entity& entity, std::int64_t key);

 private:
  struct Compiled {
    records::Prepared prepared;
    std::unique_ptr<RowWriter> writer;  // of a $select
    std::vector<std::string> html;
  };
  Result<const Compiled*> selected(const catalog::Entity& entity, std::string_view select, records::SessionScope scope);
  Result<const Compiled*> filtered(const catalog::Entity& entity, std::string_view filter, records::SessionScope scope);
  Result<const Compiled*> listed(const catalog::SubResource& list, const catalog::Entity& above,
                                 records::SessionScope scope);
  Result<std::shared_ptr<const query::Plan>> keys_of(const catalog::Entity& entity, std::string_view filter,
                                                     const query::Scope& scope);
  query::Limits limits_of(const query::Scope& scope) const;
  const Compiled* find(std::string_view key) const;  // null: it is to be compiled
  const Compiled* keep(std::string key, Compiled compiled);

  const records::Model& model_;
  script::State& scripts_;
  const std::string version_;
  std::map<std::string, Compiled, std::less<>> compiled_cache_;
};

}  // namespace callisto::api
