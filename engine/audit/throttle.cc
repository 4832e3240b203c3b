#include "engine/audit/throttle.h"

namespace callisto::audit {

namespace {

struct Share {
  int of_one = 0, of_all = 0;  // 0: all are kept
};

Share share_of(Kind kind) {
  if (kind == Kind::AddressBlocked) return {1, 600};
  if (kind == Kind::SignInRefused) return {120, 6000};
  if (kind == Kind::ActionDenied) return {600, 6000};
  if (kind == Kind::ProxyHeaderRefused) return {10, 600};
  return {};
}

}  // namespace

bool Throttle::admits(const Event& event, std::int64_t steady_ms) {
  const Share share = share_of(event.kind);
  if (share.of_one == 0) return true;
  if (steady_ms / 60'000 != minute_) counts_.clear();
  minute_ = steady_ms / 60'000;
  const std::string kind(name(event.kind));
  int& all = counts_[kind];  // a reference that later insertions leave valid
  const std::string source = event.session ? std::to_string(*event.session) : event.address;
  const auto one = counts_.find(kind + " " + source);
  if (all >= share.of_all || (one != counts_.end() && one->second >= share.of_one)) {
    ++left_out_;
    return false;
  }
  ++all;
  ++counts_[kind + " " + source];
  return true;
}

}  // namespace callisto::audit
