// The deleter of a handle that a C library frees by a function: std::unique_ptr<CURL, Freed<curl_easy_cleanup>>.
#pragma once

namespace callisto {

template <auto free_handle>
struct Freed {
  void operator()(auto* handle) const { free_handle(handle); }
};

}  // namespace callisto
