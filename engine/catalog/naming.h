// Which names are allowed, and how a name reads to people. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace callisto::catalog {

// Of entities and properties, which are tables and columns: PostgreSQL cuts what is longer.
constexpr std::size_t longest_name = 63;
bool is_pascal_name(std::string_view name);  // ShortDescription, Number1
bool is_kebab_name(std::string_view name);   // call-history
std::string title_of(
    std::string_view pascal);  // ShortDescription -> "Short Description", SLABreached -> "SLA Breached"
std::string sentence_of(std::string_view kebab);  // take-ownership -> "Take ownership"
std::string table_name(std::string_view kebab);

// "a call", "an attachment"
inline std::string with_article(const std::string& name) {
  const bool is_vowel = !name.empty() && std::string_view("aeioAEIO").find(name.front()) != std::string_view::npos;
  return (is_vowel ? "an " : "a ") + name;
}

}  // namespace callisto::catalog
