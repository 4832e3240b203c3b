// SHA-256 by pieces, in lower-case hex. One thread each. OpenSSL stays inside digest.cc.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace callisto::audit {

class Digest {
 public:
  Digest();
  ~Digest();
  Digest(Digest&&) noexcept;
  Digest& operator=(Digest&&) noexcept;
  void add(std::string_view bytes);
  std::string hex() const;  // of all that was added so far

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string sha256(std::string_view bytes);

}  // namespace callisto::audit
