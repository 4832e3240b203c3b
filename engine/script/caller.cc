#include "engine/script/caller.h"

#include <charconv>

namespace callisto::script {
namespace {

std::string reference(Random& random) {
  constexpr char hex[] = "0123456789abcdef";
  std::string text;
  for (char byte : random.bytes(4)) {
    auto bits = static_cast<unsigned char>(byte);
    text += hex[bits >> 4];
    text += hex[bits & 15];
  }
  return text;
}

// The line of `file` that a message begins with ("file:12: attempt to ..."); 0: none.
int line_of(const std::string& message, const std::string& file) {
  if (!message.starts_with(file + ':')) return 0;
  int line = 0;
  std::from_chars(message.data() + file.size() + 1, message.data() + message.size(), line);
  return line;
}

}  // namespace

std::string Caller::name() const {
  return what + " (" + file + (line > 0 ? ':' + std::to_string(line) : std::string()) + ')';
}

Caller caller_of(const catalog::Augmenter& augmenter, const char* option) {
  const std::string word = '@' + augmenter.name;
  return {word, augmenter.origin.file, augmenter.origin.line, augmenter.script, Diagnostic{option, 0, word, {}, {}}};
}

Caller caller_of(const catalog::Action& action) {
  return {"action '" + action.name + "'", action.file, action.line, action.script};
}

ScriptFailure failure_of(const Caller& caller, const Failure& failure, const CurrentCall& call, Random& random) {
  ScriptFailure told;
  told.reference = reference(random);
  told.what = caller.what;
  if (call.host) told.entity = call.host->entity(call.record).name;
  if (call.session) told.person = call.session->user_id;
  told.file = caller.file;
  told.line = line_of(failure.message, caller.file);
  if (told.line == 0) told.line = caller.line;
  told.message = failure.message;
  told.traceback = failure.traceback;
  return told;
}

}  // namespace callisto::script
