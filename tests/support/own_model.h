// The repository's own desk, loaded and bound for SQLite; with what other folders add to it, where a test names some.
#pragma once

#include "engine/records/model.h"
#include "tests/support/paths.h"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <vector>

namespace callisto::test {

struct OwnModel {
  // Both outlive the state.
  OwnModel(const Clock& clock, Random& random, const std::vector<std::string>& more_entities = {},
           const std::vector<std::string>& more_scripts = {}) {
    std::vector<std::string> entities{source_folder() + "/entities"}, scripts{source_folder() + "/scripts"};
    entities.insert(entities.end(), more_entities.begin(), more_entities.end());
    scripts.insert(scripts.end(), more_scripts.begin(), more_scripts.end());
    const script::LoadResult loaded = script::load(entities, scripts);
    for (const catalog::Problem& problem : loaded.problems) UNSCOPED_INFO(to_string(problem));
    const auto program = loaded.program;
    REQUIRE(program);
    auto made = script::State::create(program, {}, clock, random);
    REQUIRE(made);
    state = *std::move(made);
    model = records::bind_model(program, {}, query::Dialect::Sqlite, *state).model;
    REQUIRE(model);
  }

  std::unique_ptr<script::State> state;
  std::shared_ptr<const records::Model> model;
};

}  // namespace callisto::test
