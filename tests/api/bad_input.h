// What the tests of bad input share: the collections beside this repository, and what every refusal must look like.
#pragma once

#include "server_process.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::tests {

// A document of ../shared/data; nothing, after a warning, where it is absent.
std::optional<json::Node> shared_data(std::string_view file);

// "cases[].text" of the attack strings, or the plain texts of the naughty ones; empty where the file is absent.
std::vector<std::string> injection_strings();
std::vector<std::string> naughty_strings();

// A text literal of $filter (API rule 2.7) that means exactly `text`. NUL has no spelling that is accepted.
std::string literal(std::string_view text);

// A text that no filter, path or url can carry, because it holds NUL or is no UTF-8.
bool is_unspeakable(std::string_view text);

const json::Node& member(const json::Node& node, std::string_view name);

// The form of API rule 5.1: JSON with Message, Type and SubStatus that belong to the status, and a message that tells
// nothing of the inside but what stood in `input`. The parsed body is returned.
json::Node check_refusal(const Answer& answer, std::string_view input = {});

// The number of a $count answer; -1 with a failed check where it is none.
int counted(const Answer& answer);

}  // namespace callisto::tests
