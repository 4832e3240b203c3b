// What both programs of ./dev bench begin with: the repository's own entities and scripts, loaded and bound as the
// server does, and queries as text taken apart. Problems end the program: a bench has nobody else to tell them to.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/http/url.h"
#include "engine/query/bind.h"
#include "engine/query/options.h"
#include "engine/records/model.h"
#include "engine/script/state.h"
#include "tests/support/paths.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

namespace callisto::bench {

[[noreturn]] inline void fail(std::string_view what) {
  std::fprintf(stderr, "bench: %.*s\n", static_cast<int>(what.size()), what.data());
  std::exit(1);
}

template <typename T>
T must(Result<T> result) {
  if (!result) fail(result.error().message + " " + result.error().log_detail);
  return *std::move(result);
}

class Desk {
 public:
  enum class Caches { Used, Off };
  explicit Desk(Caches caches = Caches::Used) {
    const std::string root = test::source_folder();
    auto loaded = script::load({root + "/entities"}, {root + "/scripts"});
    if (!loaded.program) fail("entities/ and scripts/ have problems: `callisto check` lists them");
    scripts_ = must(script::State::create(loaded.program, script::Budget{}, clock_, random_));
    const auto model = records::bind_model(loaded.program, query::Limits{}, query::Dialect::Sqlite, *scripts_).model;
    if (!model) fail("entities/ and scripts/ have problems: `callisto check` lists them");
    model->caches = caches == Caches::Used;
    model_ = model;
  }

  const records::Model& model() const { return *model_; }
  const std::shared_ptr<const records::Model>& shared_model() const { return model_; }
  const catalog::Entity& entity(const std::string& name) const {
    const catalog::Entity* found = model_->catalog().find(name);
    if (!found) fail("there is no entity '" + name + "'");
    return *found;
  }
  // For the slot that compiles queries; the Desk is of no use for binding afterwards.
  std::unique_ptr<script::State> take_scripts() { return std::move(scripts_); }

  std::shared_ptr<const query::Plan> bind_search(const catalog::Entity& entity, const query::Options& options) const {
    records::StateFolder folder(*scripts_);
    return must(query::bind_search(model_->program->catalog, entity, options, model_->limits, folder));
  }
  std::shared_ptr<const query::Plan> bind_record(const catalog::Entity& entity) const {
    records::StateFolder folder(*scripts_);
    return must(query::bind_record(model_->program->catalog, entity, {}, model_->limits, folder));
  }

 private:
  SystemClock clock_;
  SystemRandom random_;
  std::unique_ptr<script::State> scripts_;
  std::shared_ptr<const records::Model> model_;
};

// call?$top=30
struct QueryText {
  std::string entity, query;
};

inline QueryText query_text(std::string_view text) {
  const std::size_t mark = text.find('?');
  if (mark == text.npos) return {std::string(text), {}};
  return {std::string(text.substr(0, mark)), std::string(text.substr(mark + 1))};
}

inline query::Options options_of(const std::string& raw_query) {
  return must(query::parse_options(must(http::decode_query(raw_query))));
}

}  // namespace callisto::bench
