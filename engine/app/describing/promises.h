// The page of promises (`callisto test --report`): what a desk promises by its specs, by entity, with what no spec
// reaches and who may do what. One HTML file without script that loads nothing. Pure; any thread.
#pragma once

#include "engine/app/describing/coverage.h"
#include "engine/app/describing/mutation.h"
#include "engine/testing/run.h"

#include <string>
#include <vector>

namespace callisto::app {

struct Promises {
  const records::Model& model;
  const testing::Report& report;
  std::vector<std::vector<std::string>> done;  // of each outcome: the actions that it did
  const Coverage::Files& coverage;
  const Mutation* mutation = nullptr;  // null: no mutants were made
};
std::string page_of(const Promises& promises);

}  // namespace callisto::app
