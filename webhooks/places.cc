#include "webhooks/places.h"

#include "engine/base/text.h"
#include "webhooks/curl_handles.h"

#include <algorithm>
#include <utility>

namespace callisto::webhooks {

namespace {

constexpr std::size_t most_urls = 8192;  // whose host is remembered: may_take() asks often

std::size_t part(std::size_t whole, std::size_t quarters) { return std::max<std::size_t>(1, whole * quarters / 4); }

}  // namespace

std::optional<std::string> host_of(const std::string& url) {
  const UrlHandle parsed(curl_url());
  if (!parsed || curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) return std::nullopt;
  std::string host = text::ascii_lower(part_of(parsed.get(), CURLUPART_HOST).value_or(""));
  while (host.ends_with('.')) host.pop_back();  // the root of all names, which changes nothing
  return host + ":" + part_of(parsed.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT).value_or("");
}

Places::Places(std::size_t all, std::size_t per_host, std::int64_t bytes)
    : all_limits_{all, std::max(at_once, part(all, 2)), std::max(at_once, part(all, 3)), part(all, 2)},
      host_limits_{per_host, at_once, part(per_host, 3), part(per_host, 1)},
      unproven_bytes_most_(bytes / 4 * 3) {}

const std::string& Places::name_of(const std::string& url) {
  if (const auto known = host_names_.find(url); known != host_names_.end()) return known->second;
  if (host_names_.size() >= most_urls) host_names_.clear();
  return host_names_.emplace(url, host_of(url).value_or("")).first->second;
}

Places::Manner Places::manner_of(const Asking& asking) const {
  const auto known = known_.find(asking.webhook);
  if (known != known_.end() && known->second.manner != Manner::Unknown && known->second.url == asking.url)
    return known->second.manner;
  return asking.failing ? Manner::Slow : Manner::Unknown;
}

Places::Answer Places::judge(const Limits& limits, const Use& use, Manner manner, bool has_older) {
  if (use.all >= limits.all) return Answer::No;
  if (has_older && use.all >= limits.all / 2) return Answer::No;
  if (manner != Manner::Quick && use.unproven >= limits.unproven) return Answer::No;
  if (manner == Manner::Slow && use.slow >= limits.slow) return Answer::No;
  const bool fits = use.young < limits.at_once && (manner != Manner::Slow || use.young_slow < limits.at_once / 2);
  return fits ? Answer::Yes : Answer::Later;
}

Places::Answer Places::may_take(const Asking& asking) {
  const Manner manner = manner_of(asking);
  const auto known = known_.find(asking.webhook);
  const bool has_older = known != known_.end() && known->second.older > 0;
  const bool fits = unproven_bytes_ == 0 || unproven_bytes_ + asking.bytes <= unproven_bytes_most_;
  if (manner != Manner::Quick && !fits) return Answer::No;
  const Answer answer = judge(all_limits_, all_, manner, has_older);
  const std::string& name = name_of(asking.url);
  const auto host = hosts_.find(name);
  if (answer == Answer::No || name.empty() || host == hosts_.end()) return answer;
  const Answer there = judge(host_limits_, host->second, manner, has_older);
  return there == Answer::Yes ? answer : there;
}

template <typename Change>
void Places::count(const Flight& flight, Change change) {
  for (Use* use : {&all_, flight.host}) {
    change(use->all);
    if (flight.young) change(use->young);
    if (flight.young && flight.slow) change(use->young_slow);
    if (flight.unproven) change(use->unproven);
    if (flight.slow) change(use->slow);
  }
}

void Places::take(std::int64_t delivery, const Asking& asking, std::int64_t now) {
  if (known_.size() >= most_known) std::erase_if(known_, [](const auto& one) { return one.second.older == 0; });
  const Manner manner = manner_of(asking);
  Known& known = known_[asking.webhook];
  if (known.url != asking.url) known = {Manner::Unknown, asking.url, known.edition + 1, known.older};
  Flight flight{asking.webhook, now, asking.bytes, known.edition, nullptr, name_of(asking.url)};
  flight.host = &hosts_[flight.host_name];
  flight.unproven = manner != Manner::Quick;
  flight.slow = manner == Manner::Slow;
  count(flight, [](std::size_t& number) { ++number; });
  unproven_bytes_ += flight.unproven ? flight.bytes : 0;
  young_.push_back({now + young, delivery, now});
  held_.push_back({now + long_hold, delivery, now});
  flights_.insert_or_assign(delivery, std::move(flight));
}

void Places::give_back(std::int64_t delivery, std::int64_t now) {
  const auto found = flights_.find(delivery);
  if (found == flights_.end()) return;
  Flight flight = std::move(found->second);
  flights_.erase(found);
  count(flight, [](std::size_t& number) { --number; });
  unproven_bytes_ -= flight.unproven ? flight.bytes : 0;
  if (flight.host->all == 0) hosts_.erase(flight.host_name);
  if (!flight.young) --known_[flight.webhook].older;
  learn(flight, now - flight.started < long_hold ? Manner::Quick : Manner::Slow);
}

// What went to a previous url says nothing about this one.
void Places::learn(const Flight& flight, Manner manner) {
  Known& known = known_[flight.webhook];
  if (known.edition == flight.edition) known.manner = manner;
}

Places::Flight* Places::find(const Mark& mark) {
  const auto found = flights_.find(mark.delivery);
  return found != flights_.end() && found->second.started == mark.started ? &found->second : nullptr;
}

void Places::pass(std::int64_t now) {
  for (; !young_.empty() && young_.front().at <= now; young_.pop_front())
    if (Flight* flight = find(young_.front())) age(*flight);
  for (; !held_.empty() && held_.front().at <= now; held_.pop_front())
    if (Flight* flight = find(held_.front())) find_slow(*flight);
}

void Places::age(Flight& flight) {
  count(flight, [](std::size_t& number) { --number; });
  flight.young = false;
  count(flight, [](std::size_t& number) { ++number; });
  ++known_[flight.webhook].older;
}

// It is one of the slow ones from now on, and so is all that its webhook sends meanwhile.
void Places::find_slow(Flight& flight) {
  learn(flight, Manner::Slow);
  count(flight, [](std::size_t& number) { --number; });
  unproven_bytes_ += flight.unproven ? 0 : flight.bytes;
  flight.unproven = flight.slow = true;
  count(flight, [](std::size_t& number) { ++number; });
}

std::optional<std::int64_t> Places::next_change() const {
  return young_.empty() ? std::nullopt : std::optional(young_.front().at);
}

}  // namespace callisto::webhooks
