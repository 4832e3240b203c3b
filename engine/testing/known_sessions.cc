#include "engine/testing/known_sessions.h"

namespace callisto::testing {

namespace {

constexpr std::string_view prefix = "spec-";

}  // namespace

std::size_t KnownSessions::add(auth::Session session) {
  const std::size_t number = forgotten_ + sessions_.size() + 1;
  session.id = static_cast<std::int64_t>(number);
  sessions_.push_back(std::make_shared<const auth::Session>(std::move(session)));
  return number;
}

const auth::Session* KnownSessions::find(std::size_t number) const {
  const bool known = number > forgotten_ && number - forgotten_ <= sessions_.size();
  return known ? sessions_[number - forgotten_ - 1].get() : nullptr;
}

std::string KnownSessions::token_of(std::size_t number) { return std::string(prefix) + std::to_string(number); }

void KnownSessions::forget() {
  forgotten_ += sessions_.size();
  sessions_.clear();
}

Result<std::shared_ptr<const auth::Session>> KnownSessions::authenticate(std::string_view access_token) {
  for (std::size_t i = 0; i < sessions_.size(); ++i)
    if (access_token == token_of(forgotten_ + i + 1)) return sessions_[i];
  return service_->authenticate(access_token);
}

}  // namespace callisto::testing
