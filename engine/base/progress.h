// A progress bar on standard error for work that takes longer than a second; silent before that, plain lines every ten
// seconds if standard error is no terminal. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace callisto {

class Progress {
 public:
  // `total` in the same unit as advance_to; 0 when it is not known.
  Progress(std::string title, std::uint64_t total);
  ~Progress();
  void advance_to(std::uint64_t done);

 private:
  void draw();
  std::string title_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  bool terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point started_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace callisto
