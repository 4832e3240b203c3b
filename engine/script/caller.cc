#include "engine/script/caller.h"

#include "engine/base/hex.h"

#include <charconv>

namespace callisto::script {
namespace {

// The line of `file` that a text names at `at` ("file:12: attempt to ..."); 0: none.
int line_at(std::string_view text, std::size_t at, std::string_view file) {
  int line = 0;
  if (at <= text.size() && text.substr(at).starts_with(std::string(file) + ':'))
    std::from_chars(text.data() + at + file.size() + 1, text.data() + text.size(), line);
  return line;
}

// Where it happened. Of what a library function or a limit says, the innermost place in `file` on the way there.
int line_of(const Failure& failure, std::string_view file) {
  if (const int line = line_at(failure.message, 0, file); line > 0) return line;
  const std::size_t frame = failure.traceback.find(std::string("\t").append(file) + ':');
  return frame == std::string::npos ? 0 : line_at(failure.traceback, frame + 1, file);
}

}  // namespace

std::string Caller::name() const {
  return what().append(" (").append(file) + (line > 0 ? ':' + std::to_string(line) : std::string()) + ')';
}

Caller caller_of(const catalog::Augmenter& augmenter, const char* option) {
  return {"@", augmenter.name, "", augmenter.origin.file, augmenter.origin.line, augmenter.script, option};
}

Caller caller_of(const catalog::Action& action) {
  return {"action '", action.name, "'", action.file, action.line, action.script};
}

ScriptFailure failure_of(const Caller& caller, const Failure& failure, const CurrentCall& call, Random& random) {
  ScriptFailure told;
  told.reference = hex(random.bytes(4));
  told.what = caller.what();
  if (call.host) told.entity = call.host->entity(call.record).name;
  if (call.session) told.person = call.session->user_id;
  told.file = caller.file;
  told.line = line_of(failure, caller.file);
  if (told.line == 0) told.line = caller.line;
  told.message = failure.message;
  told.traceback = failure.traceback;
  return told;
}

}  // namespace callisto::script
