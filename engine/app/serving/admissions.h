// Admissions by scripts/sign-in.lua, where the desk has that file: its rule runs on a slot that reads, what it answers
// is done by the writer, both of the generation that is served at that moment. Any thread.
#pragma once

#include "engine/app/serving/generation.h"
#include "engine/sign_in/admission.h"

#include <functional>
#include <memory>

namespace callisto::app {

class ScriptedAdmissions final : public sign_in::Admissions {
 public:
  explicit ScriptedAdmissions(const Runtime& runtime) : runtime_(runtime) {}  // outlives this
  // Before the first request.
  void follow(std::function<std::shared_ptr<Generation>()> current) { current_ = std::move(current); }
  std::shared_ptr<const sign_in::Admission> current() override;

 private:
  const Runtime& runtime_;
  std::function<std::shared_ptr<Generation>()> current_;
};

}  // namespace callisto::app
