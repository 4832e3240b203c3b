// A plan's parts as text, in the words of the query language: for $explain, and for the queries that are kept without
// their values. Pure; any thread.
#pragma once

#include "engine/query/plan.h"

#include <string>

namespace callisto::query {

// How constants show: "#1" by their number in Plan::constants, or "{Lookup Priority}" by the type and the path that
// they are compared with, so that questions that differ in values alone are one text.
enum class ConstantText { Number, Place };

std::string text_of(const Plan& plan, const Path& path);
std::string text_of(const Plan& plan, const Predicate& predicate, ConstantText constants);
std::string text_of(const Plan& plan, const Aggregate& aggregate);
// "LoggedDate desc, Ref"; without what the engine added to make the order total.
std::string order_text(const Plan& plan);

}  // namespace callisto::query
