// What the parsers make from an option's text: names and literals with their places, nothing resolved yet. Views point
// into the option's text. Plain values; any thread.
#pragma once

#include "engine/query/plan.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace callisto::query {

struct Segment {
  std::string_view name;
  std::size_t at = 0;  // byte offset
};

// Priority.Name: one segment or more.
struct PathName {
  std::vector<Segment> segments;
};

struct Literal {
  enum class Kind { Null, Boolean, Number, Text, Moment, Any };  // Moment: of a '?' alone; Any: of one not known yet
  Kind kind = Kind::Null;
  bool boolean = false;
  std::string text;      // Number: as written; Text: escapes resolved
  DateTime moment = {};  // Moment
};

// @Name or @Name(arguments).
struct Call {
  struct Argument {
    std::string text;  // quoted: escapes resolved; else as written
    bool quoted = false;
    std::size_t at = 0;
  };
  std::string_view name;
  std::vector<Argument> arguments;
  std::string_view inside;  // everything between the parentheses
};

struct Expression;

struct Connective {
  bool conjunction = false;          // &&, else ||
  std::vector<Expression> children;  // two or more
};

struct Negation {
  std::vector<Expression> child;  // one
};

struct Comparison {
  CompareOp op = CompareOp::Equal;
  std::size_t op_at = 0;
  std::vector<Expression> sides;  // two
};

// Path in (a, b) or Path not in (a, b).
struct Membership {
  bool negated = false;
  std::size_t op_at = 0;
  std::vector<Expression> member;  // one
  std::vector<Expression> values;  // one or more
};

struct Method {
  PathName receiver;
  TextOp op = TextOp::Contains;
  std::vector<Expression> argument;  // one: a Literal or a Call
};

// history.Any(predicate), history.All(predicate), history.Count(predicate); Any and Count also without one.
struct ListMethod {
  enum class Kind { Any, All, Count };
  Segment list;
  Kind kind = Kind::Any;
  std::vector<Expression> predicate;  // one or none
};

struct Expression {
  std::size_t at = 0;
  std::size_t end = 0;  // bytes at..end are its text
  std::variant<Connective, Negation, Comparison, Membership, Method, ListMethod, PathName, Literal, Call> form;

  bool is_count() const {
    const auto* method = std::get_if<ListMethod>(&form);
    return method && method->kind == ListMethod::Kind::Count;
  }
  // A path, literal, call or count: what can be compared.
  bool is_operand() const {
    return std::holds_alternative<PathName>(form) || std::holds_alternative<Literal>(form) ||
           std::holds_alternative<Call>(form) || is_count();
  }
};

// One of $select: a path, @Name or `*`, after `Alias:` where `alias` has a name.
struct SelectItem {
  Segment alias;
  std::variant<PathName, Segment, std::monostate> what;  // Segment: an augmenter; monostate: *
  std::size_t at = 0;
};

struct OrderItem {
  PathName path;
  bool descending = false;
};

// function(Path) as Name.
struct AggregateItem {
  Aggregate::Kind kind = Aggregate::Kind::Count;
  Segment function;
  PathName path;
  Segment name;
};

struct JoinClause {
  Segment target_property;
  std::size_t source_at = 0;
  std::variant<PathName, Literal> source;
};

struct JoinItem {
  Segment alias;
  Segment target;
  std::vector<JoinClause> clauses;
};

}  // namespace callisto::query
