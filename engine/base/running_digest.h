// SHA-256 of a text that comes in pieces, in lower-case hex. One thread each. OpenSSL stays inside running_digest.cc.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace callisto {

class RunningDigest {
 public:
  RunningDigest();
  ~RunningDigest();
  RunningDigest(RunningDigest&&) noexcept;
  RunningDigest& operator=(RunningDigest&&) noexcept;
  void add(std::string_view bytes);
  std::string hex() const;  // of all that was added so far

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string sha256_hex(std::string_view bytes);

}  // namespace callisto
