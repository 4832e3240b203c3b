// RecordText: one record as JSON, and whether it satisfies a filter, by the texts of $select and $filter: what is told
// of a record to those who do not ask. Nothing is limited by rights or partitions, and deleted records are found. What
// was compiled is kept. One thread at a time; a context of the caller's transaction each time.
#pragma once

#include "engine/api/row_writer.h"
#include "engine/records/search.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::api {

class RecordText {
 public:
  // `version`: the path segment written in links. `scripts` fold constants and compute extensions; both outlive it.
  RecordText(const records::Model& model, script::State& scripts, std::string version)
      : model_(model), scripts_(scripts), version_(std::move(version)) {}

  // 400 that says what is wrong and where.
  Result<void> check_select(const catalog::Entity& entity, std::string_view select);
  Result<void> check_filter(const catalog::Entity& entity, std::string_view filter);

  Result<bool> satisfies(const records::Context& context, const catalog::Entity& entity, std::int64_t key,
                         std::string_view filter);
  struct Text {
    std::string json;               // {"_context":...,"_self":..., and what is selected; every column where nothing is}
    std::vector<std::string> html;  // names of RichText members, at any depth
  };
  // 404 where there is no such record.
  Result<Text> render(const records::Context& context, const catalog::Entity& entity, std::int64_t key,
                      std::string_view select);

 private:
  struct Compiled {
    records::Prepared prepared;
    std::unique_ptr<RowWriter> writer;  // of a $select
    std::vector<std::string> html;
  };
  Result<const Compiled*> selected(const catalog::Entity& entity, std::string_view select);
  Result<const Compiled*> filtered(const catalog::Entity& entity, std::string_view filter);

  const records::Model& model_;
  script::State& scripts_;
  const std::string version_;
  std::map<std::string, Compiled, std::less<>> known_;
};

}  // namespace callisto::api
