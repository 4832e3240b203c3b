// Places: how many requests may be in flight to one host and to all hosts, and which webhook gets the next place, so
// that hanging receivers take no place from those that answer. A request is young for `young`; one host has at most
// `at_once` young ones, so that a burst does not hit it at once, and `per_host` altogether. A webhook is quick if its
// last request took less than `long_hold`, else slow. Webhooks that are not known to be quick leave a quarter of the
// places to the quick ones, and slow ones have a quarter of a host and half of `at_once`. Once half of the places are
// taken, no webhook gets another one while an older request of its own is still in flight. No clock of its own: `now`
// is steady milliseconds. One thread.
//
// Requires: one thread; `now` never goes back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>

namespace callisto::webhooks {

// Host and port of a url, which share connections and a limit; nothing where it is none.
std::optional<std::string> host_of(const std::string& url);

class Places {
 public:
  static constexpr std::int64_t young = 80, long_hold = 1'000;  // ms
  static constexpr std::size_t at_once = 16;                    // young ones of a host
  static constexpr std::size_t most_known = 65'536;             // webhooks whose manner is remembered

  struct Asking {
    std::int64_t webhook = 0;
    const std::string& url;
    bool failing = false;    // its Status says so: what is not remembered of it counts as slow
    std::int64_t bytes = 0;  // of the body
  };
  enum class Answer { Yes, No, Later };  // Later: once a request is young no longer, at next_change()

  Places(std::size_t all, std::size_t per_host, std::int64_t bytes);

  Answer may_take(const Asking& asking);
  void take(std::int64_t delivery, const Asking& asking, std::int64_t now);
  void give_back(std::int64_t delivery, std::int64_t now);
  void pass(std::int64_t now);  // before any of the above
  std::optional<std::int64_t> next_change() const;

 private:
  enum class Manner { Unknown, Quick, Slow };
  struct Limits {
    std::size_t all, at_once, unproven, slow;
  };
  struct Use {  // of a host, or of all
    std::size_t all = 0, young = 0, young_slow = 0, unproven = 0, slow = 0;
  };
  struct Known {
    Manner manner = Manner::Unknown;
    std::string url;        // of another one nothing is known
    int edition = 0;        // of the url
    std::size_t older = 0;  // on their way, and not young
  };
  struct Flight {
    std::int64_t webhook = 0, started = 0, bytes = 0;
    int edition = 0;
    Use* host = nullptr;
    std::string host_name;
    bool young = true, unproven = false, slow = false;
  };
  struct Mark {
    std::int64_t at, delivery, started;
  };

  const std::string& name_of(const std::string& url);
  Manner manner_of(const Asking& asking) const;
  static Answer judge(const Limits& limits, const Use& use, Manner manner, bool has_older);
  template <typename Change>
  void count(const Flight& flight, Change change);
  Flight* find(const Mark& mark);
  void age(Flight& flight);
  void find_slow(Flight& flight);
  void learn(const Flight& flight, Manner manner);

  const Limits all_limits_, host_limits_;
  const std::int64_t unproven_bytes_most_;
  Use all_;
  std::int64_t unproven_bytes_ = 0;
  std::unordered_map<std::string, Use> hosts_;               // with something on its way
  std::unordered_map<std::string, std::string> host_names_;  // by url; empty: it is none
  std::unordered_map<std::int64_t, Known> known_;            // by webhook
  std::unordered_map<std::int64_t, Flight> flights_;         // by delivery
  std::deque<Mark> young_, held_;                            // in the order in which they are due
};

}  // namespace callisto::webhooks
