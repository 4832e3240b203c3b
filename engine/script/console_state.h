// ConsoleState: Lua typed by a person, piece by piece, in the sandbox, with the desk of specs. Later pieces have the
// names that earlier ones set. One thread.
#pragma once

#include "engine/script/spec_state.h"

#include <memory>
#include <string>

namespace callisto::script {

struct ConsoleAnswer {
  enum class Kind { Done, Failed, Incomplete };  // Incomplete: more lines are due before it can run
  Kind kind = Kind::Done;
  std::string text;  // the values for people, or what went wrong; no line end
};

class ConsoleState {
 public:
  // `natives` and `clock` outlive it. They have those of testing/natives.h, and print(text).
  static Result<std::unique_ptr<ConsoleState>> create(const Libraries& libraries, const Natives& natives,
                                                      const std::string& login, const Budget& budget,
                                                      const Clock& clock);
  ~ConsoleState();
  ConsoleAnswer evaluate(const std::string& piece);

 private:
  explicit ConsoleState(const Budget& budget, const Clock& clock);
  class Lua;
  std::unique_ptr<Lua> lua_;
};

}  // namespace callisto::script
