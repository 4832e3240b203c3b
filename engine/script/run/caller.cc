#include "engine/script/run/caller.h"

#include "engine/base/hex.h"

namespace callisto::script {
std::string Caller::name() const {
  return what().append(" (").append(file) + (line > 0 ? ':' + std::to_string(line) : std::string()) + ')';
}

Caller caller_of(const catalog::Augmenter& augmenter, const char* option) {
  return {"@",    augmenter.name,  "", augmenter.origin.file, augmenter.origin.line, augmenter.script,
          option, &augmenter.after};
}

Caller caller_of(const catalog::Action& action) {
  return {"action '", action.name, "'", action.file, action.line, action.script};
}

ScriptFailure failure_of(const Caller& caller, const Failure& failure, const CurrentCall& call, Random& random) {
  ScriptFailure told;
  told.reference = hex(random.bytes(4));
  told.action = caller.plain();
  if (call.host) told.entity = call.host->entity(call.record).name;
  if (call.session) told.person = call.session->user_id;
  told.file = caller.file;
  told.line = line_in(failure.message, failure.traceback, caller.file);
  if (told.line == 0) told.line = caller.line;
  told.message = failure.message;
  told.traceback = failure.traceback;
  return told;
}

}  // namespace callisto::script
