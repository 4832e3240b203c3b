// Result<T>: a value or an Error, by value. The names follow std::expected so that it can replace this later.
// Any thread; no shared state. CALLISTO_TRY unwraps or returns the error; CALLISTO_CHECK does so for Result<void>.
#pragma once

#include "engine/base/error.h"

#include <cassert>
#include <optional>
#include <utility>
#include <variant>

namespace callisto {

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & {
    assert(has_value());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    assert(has_value());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    assert(has_value());
    return std::move(*std::get_if<0>(&state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Error& error() & {
    assert(!has_value());
    return *std::get_if<1>(&state_);
  }
  const Error& error() const& {
    assert(!has_value());
    return *std::get_if<1>(&state_);
  }
  Error&& error() && {
    assert(!has_value());
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool has_value() const { return !error_; }
  explicit operator bool() const { return has_value(); }
  Error& error() & { return *error_; }
  const Error& error() const& { return *error_; }
  Error&& error() && { return std::move(*error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace callisto

#define CALLISTO_CONCAT_(a, b) a##b
#define CALLISTO_CONCAT(a, b) CALLISTO_CONCAT_(a, b)
#define CALLISTO_TRY_(temporary, declaration, expression) \
  auto temporary = (expression);                          \
  if (!temporary) return std::move(temporary).error();    \
  declaration = *std::move(temporary)
#define CALLISTO_TRY(declaration, expression) \
  CALLISTO_TRY_(CALLISTO_CONCAT(result_, __COUNTER__), declaration, expression)
#define CALLISTO_CHECK_(temporary, expression)                                          \
  do {                                                                                  \
    if (auto temporary = (expression); !temporary) return std::move(temporary).error(); \
  } while (false)
#define CALLISTO_CHECK(expression) CALLISTO_CHECK_(CALLISTO_CONCAT(result_, __COUNTER__), expression)
