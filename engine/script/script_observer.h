// ScriptObserver: learns what scripts cost and how they failed. Called in the middle of a request, on any thread: it
// must be quick, must not fail and must not write to the database.
#pragma once

#include "engine/base/value.h"
#include "engine/script/code_lines.h"

#include <chrono>
#include <string>

namespace callisto::script {

struct ScriptFailure {
  std::string reference;  // what the client is told to quote
  std::string action;     // "close", the hook "before_create" or the augmenter "@Age"
  std::string entity;     // of the record at hand; empty: an augmenter's
  Value person;           // who asked; null: nobody
  std::string file;
  int line = 0;  // 0: not known
  std::string message, traceback;
};

class ScriptObserver {
 public:
  virtual ~ScriptObserver() = default;
  // Where each line that a function runs is to be counted, which makes scripts twice as slow; null: nowhere. Asked
  // once, before anything runs.
  virtual LinesRun* lines_run() { return nullptr; }
  // One call of the function `option` ("value", "run", "before_create") of a file, with all that it set going.
  virtual void ran(const std::string& file, const std::string& option, std::chrono::microseconds time) = 0;
  virtual void failed(const ScriptFailure& failure) = 0;
};

}  // namespace callisto::script
