// SpecState: one file of specs (scripts/README.md, "Testing a desk") in a sandbox of its own. The words of specs are in
// lua/spec.lua; the host gives the desk that they are about, as functions over plain Data. One thread.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/result.h"
#include "engine/script/data.h"
#include "engine/script/library.h"
#include "engine/script/program.h"
#include "engine/script/state.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace callisto::script {

// An Error of a Native is what its caller is refused with.
struct Native {
  std::function<Result<Data>(const std::vector<Data>&)> call;
  bool has_own_bound = false;  // it ends by a count of its own: its time is not the caller's
  Native() = default;
  template <typename Call>
  Native(Call the_call) : call(std::move(the_call)) {}
};
using Natives = std::map<std::string, Native>;

struct Place {
  std::string file;
  int line = 0;
};

struct Spec {
  std::string sentence;  // "closing a call > needs a description"
  Place place;
};

struct SpecFailure {
  Place place;
  std::string message;           // empty where the other two say it all
  std::string expected, actual;  // both empty: only the message
};

class SpecState {
 public:
  // Runs the file, which says what its specs are and has the words of `libraries`. These, `natives` and `clock` outlive
  // it. With a failure, those specs that were told before it.
  // `modules`: what it may require, by number.
  static std::unique_ptr<SpecState> load(const Source& source, const Libraries& libraries, const Natives& natives,
                                         const Budget& budget, const Clock& clock, std::optional<SpecFailure>& failure,
                                         const std::vector<Source>& modules = {});
  ~SpecState();

  const std::vector<Spec>& specs() const { return specs_; }
  // Nothing: everything holds. After a failure by time or memory the state is made anew by itself.
  std::optional<SpecFailure> run(std::size_t number);

 private:
  SpecState(const Source& source, const Libraries& libraries, const Natives& natives, const Budget& budget,
            const Clock& clock, const std::vector<Source>& modules);
  std::optional<SpecFailure> build();

  class Lua;
  const Source source_;
  const Libraries& libraries_;
  const Natives& natives_;
  const Budget budget_;
  const Clock& clock_;
  const std::vector<Source> modules_;  // none where it requires none
  std::vector<Spec> specs_;
  std::unique_ptr<Lua> lua_;  // null after a failure that spoilt it
};

}  // namespace callisto::script
