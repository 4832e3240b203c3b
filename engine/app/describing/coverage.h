// Coverage: which parts of the rules the specs reached (`callisto test --coverage`): lines of code, actions and the
// states in which they were done, states, filters that held and failed. Watches one run of specs, on its thread;
// afterwards it reports. A filter of `read` is not counted: the database decides it.
#pragma once

#include "engine/records/model.h"
#include "engine/script/script_observer.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace callisto::app {

class Coverage final : public records::RuleObserver {
 public:
  void decided(const query::Plan& filter, bool holds) override;
  void performed(const catalog::Entity& entity, const catalog::Action& action, const Value& before,
                 const Value& after) override;
  script::LinesRun lines_run;
  // The names of the actions that were done since the last call, in their order.
  std::vector<std::string> take_done();

  enum class Kind { Line, Action, From, State, Filter };
  struct Point {
    int line = 0;
    Kind kind = Kind::Line;
    std::string missing;  // what to say of it where the count is 0: "defer: no spec does it"
    std::uint64_t count = 0;
  };
  using Files = std::map<std::string, std::vector<Point>>;                    // by path, in the order of lines
  Files files(const records::Model& model) const;                             // the model that was watched
  static std::vector<std::string> missing(const std::vector<Point>& points);  // "4: state Lost: no spec brings ..."

 private:
  struct Ways {
    std::uint64_t held = 0, failed = 0;
  };
  using Place = std::pair<std::string, int>;  // file and line of what defines it: entities share it
  std::map<const query::Plan*, Ways> decided_;
  std::map<Place, std::map<std::string, std::uint64_t>> done_;  // actions, by the name of the state before
  std::map<Place, std::uint64_t> entered_;                      // states
  std::vector<std::string> lately_;                             // done since take_done()
  friend class CoveredRules;
};

std::string sum_of(const Coverage::Files& files);  // "coverage: 97.1 %: lines of code 812 of 830, ..."
// What no spec reached, by file and line; the last line is the sum.
std::string to_text(const Coverage::Files& files);
// For lcov, genhtml and what reads their format (https://man.archlinux.org/man/geninfo.1#TRACEFILE_FORMAT).
std::string to_lcov(const Coverage::Files& files);

}  // namespace callisto::app
