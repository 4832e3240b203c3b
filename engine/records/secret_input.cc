#include "engine/records/secret_input.h"

#include <algorithm>
#include <utility>

namespace callisto::records {

namespace {

using catalog::Action;
using catalog::Parameter;

// The record's final type is not known yet: an action is the same in all that inherit it.
const Action* find_action(const catalog::Entity& entity, std::string_view name) {
  for (const catalog::Entity* type : entity.final_types())
    if (const Action* action = type->find_action(name)) return action;
  return nullptr;
}

// Parameters may stand in the body itself or in its $action.
const json::Node* find_text(const json::Node& body, std::string_view name) {
  const json::Node* inner = body.find(parameters_member);
  for (const json::Node* place : {&body, inner}) {
    if (!place || place->kind() != json::Node::Kind::Object) continue;
    const json::Node* value = place->find(name);
    if (value && value->kind() == json::Node::Kind::String) return value;
  }
  return nullptr;
}

Result<void> hash_one(SecretInput& input, auth::Secrets& secrets, const catalog::Entity& entity, std::int64_t key,
                      const Parameter& parameter, const std::string& text) {
  const std::string& name = parameter.property->name;
  if (parameter.secret == Parameter::Secret::Current) {
    CALLISTO_TRY(input.guesses[name], secrets.compare(entity.root().name, key, text));
    return {};
  }
  auto hash = secrets.hash(text);
  if (hash) input.values.emplace(name, *std::move(hash));
  else if (hash.error().is_refusal()) input.problems.push_back({name, hash.error().message});
  else return std::move(hash).error();
  return {};
}

// What reads show instead of it would be a secret that everybody knows.
void seal_one(SecretInput& input, const Sealer& sealer, Random& random, const std::string& name,
              const std::string& text) {
  if (text != catalog::system::sealed_mask) input.values.emplace(name, sealer.seal(text, random));
  else
    input.problems.push_back({name, "is the mask that reads show; give the secret, or leave it out to have one made"});
}

}  // namespace

bool takes_secrets(const catalog::Entity& entity, std::string_view name) {
  const Action* action = find_action(entity, name);
  const auto is_secret = [](const Parameter& each) { return each.secret != Parameter::Secret::No; };
  return action && std::any_of(action->parameters.begin(), action->parameters.end(), is_secret);
}

Result<SecretInput> read_secrets(const SecretKeeping& keeping, Random& random, const auth::Session& session,
                                 const catalog::Entity& entity, std::int64_t key, std::string_view name,
                                 const Result<json::Node>& body) {
  SecretInput input;
  bool is_admitted = false;
  const Action* action = find_action(entity, name);
  if (!action || !body || body->kind() != json::Node::Kind::Object) return input;
  for (const Parameter& parameter : action->parameters) {
    if (parameter.secret == Parameter::Secret::No) continue;
    const json::Node* value = find_text(*body, parameter.property->name);
    if (!value) continue;
    const std::string& given = parameter.property->name;
    const bool is_sealed = parameter.secret == Parameter::Secret::Sealed;
    if (is_sealed && keeping.sealer) seal_one(input, *keeping.sealer, random, given, value->text());
    if (is_sealed || !keeping.hashes) continue;
    if (!std::exchange(is_admitted, true)) CALLISTO_CHECK(keeping.hashes->admit(session, name));
    CALLISTO_CHECK(hash_one(input, *keeping.hashes, entity, key, parameter, value->text()));
  }
  return input;
}

Result<void> judge_guesses(SecretInput& input, const SecretKeeping& keeping, storage::Connection& connection,
                           const auth::Session& session, const catalog::Entity& entity, std::int64_t key) {
  input.is_wrong_guess = false;
  for (const auto& [name, guess] : input.guesses) {
    CALLISTO_TRY(const bool right, keeping.hashes->judge(connection, session, entity.root().name, key, guess));
    input.values.insert_or_assign(name, right);
    input.is_wrong_guess = input.is_wrong_guess || !right;
  }
  return {};
}

}  // namespace callisto::records
