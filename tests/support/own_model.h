// The repository's own desk, loaded and bound for SQLite.
#pragma once

#include "engine/records/model.h"

#include <catch2/catch.hpp>

#include <memory>
#include <string>

namespace callisto::test {

struct OwnModel {
  // Both outlive the state.
  OwnModel(const Clock& clock, Random& random) {
    const std::string root = CALLISTO_SOURCE_DIR;
    const auto program = script::load({root + "/entities"}, {root + "/scripts"}).program;
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
