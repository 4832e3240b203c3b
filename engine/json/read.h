// JSON in: a strict parse (RFC 8259, UTF-8) to a small document that never changes. A number keeps its exact text, an
// object the order of its members; a string may contain NUL characters, which the caller must check. Errors: bad_format
// with line and column. Any thread. RapidJSON stays inside read.cc.
#pragma once

#include "engine/base/result.h"
#include "engine/base/value.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::json {

struct Member;

class Node {
 public:
  enum class Kind { Null, Boolean, Number, String, Array, Object };

  Node();  // null
  explicit Node(bool value);
  Node(Kind kind, std::string text);  // a Number or a String
  explicit Node(std::vector<Node> items);
  explicit Node(std::vector<Member> members);

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::Null; }
  bool boolean() const { return boolean_; }                        // false unless a Boolean
  const std::string& text() const { return text_; }                // a String's content, a Number's digits
  const std::vector<Node>& items() const { return items_; }        // empty unless an Array
  const std::vector<Member>& members() const { return members_; }  // empty unless an Object
  const Node* find(std::string_view name) const;                   // null where there is no such member

 private:
  Kind kind_ = Kind::Null;
  bool boolean_ = false;
  std::string text_;
  std::vector<Node> items_;
  std::vector<Member> members_;
};

struct Member {
  std::string name;
  Node value;
};

const char* name(Node::Kind kind);  // "a string", for messages

// The content of the member; empty unless there is one and it is a String.
const std::string& string_of(const Node& object, std::string_view name);

// Of a Number's digits: an integer where it is one of 64 bits, else the nearest double.
Value value_of_number(const std::string& digits);

inline Node::Node() = default;  // here, where Member is complete
inline Node::Node(bool value) : kind_(Kind::Boolean), boolean_(value) {}
inline Node::Node(Kind kind, std::string text) : kind_(kind), text_(std::move(text)) {}
inline Node::Node(std::vector<Node> items) : kind_(Kind::Array), items_(std::move(items)) {}
inline Node::Node(std::vector<Member> members) : kind_(Kind::Object), members_(std::move(members)) {}

struct Limits {
  std::size_t depth = 32;     // arrays and objects within one another
  std::size_t values = 2000;  // members and elements of the whole document
};

// Refuses duplicate names, lone surrogates, a byte order mark and anything after the document. The whole text, and the
// NUL that std::string keeps behind it, is there before the parser starts.
Result<Node> parse(const std::string& text, const Limits& limits = {});

}  // namespace callisto::json
