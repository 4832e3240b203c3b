#include "engine/oidc/refusal.h"

namespace callisto::oidc {

namespace {

constexpr int retry_after_seconds = 10;

Error with_detail(Error error, std::string log_detail) {
  error.log_detail = std::move(log_detail);
  return error;
}

}  // namespace

Error stale(std::string log_detail) {
  return with_detail(bad_format("This sign-in took too long or was begun in another browser. Start it again."),
                     std::move(log_detail));
}

Error denied(std::string log_detail) {
  return with_detail(forbidden("The identity provider did not sign you in."), std::move(log_detail));
}

Error not_accepted(std::string log_detail) {
  return with_detail(forbidden("The identity provider's answer cannot be accepted. Tell your administrator."),
                     std::move(log_detail));
}

Error unreachable(std::string log_detail) {
  return with_detail(
      unavailable("The identity provider gives no proper answer now. Try again later.", retry_after_seconds),
      std::move(log_detail));
}

}  // namespace callisto::oidc
