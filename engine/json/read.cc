#include "engine/json/read.h"

#include "engine/base/text.h"
#include "engine/json/read_wanted.h"

// RapidJSON 1.1.0 adds to a null pointer before its stack has memory (internal/stack.h, Reserve): harmless, but clang's
// sanitizer would stop every fuzz run there.
#ifdef __clang__
#pragma clang attribute push(__attribute__((no_sanitize("pointer-overflow"))), apply_to = function)
#endif
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>
#ifdef __clang__
#pragma clang attribute pop
#endif

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <optional>
#include <unordered_set>
#include <utility>

namespace callisto::json {

namespace {

constexpr std::size_t longest_echo = 40;

// An array or object whose end has not come yet.
struct Open {
  std::vector<Node> items;
  std::vector<Member> members;
  std::unordered_set<std::string> names;
};

// RapidJSON's own allocator gives null where there is no memory, and the parser writes there.
struct Allocator {
  [[maybe_unused]] static constexpr bool need_free = true;
  static void* Malloc(std::size_t size) { return size == 0 ? nullptr : checked(std::malloc(size)); }
  static void* Realloc(void* memory, std::size_t, std::size_t size) {
    if (size != 0) return checked(std::realloc(memory, size));
    std::free(memory);
    return nullptr;
  }
  static void Free(void* memory) { std::free(memory); }

 private:
  static void* checked(void* memory) {
    if (!memory) throw std::bad_alloc();
    return memory;
  }
};
using Reader = rapidjson::GenericReader<rapidjson::UTF8<>, rapidjson::UTF8<>, Allocator>;

// RapidJSON's handler: false ends the parse, and `refusal` then says why.
class Builder {
 public:
  // `is_wanted`: null where all members are.
  Builder(const Limits& limits, const Wanted* is_wanted) : limits_(limits), is_wanted_(is_wanted) {}

  bool Null() { return add({}); }
  bool Bool(bool value) { return add(Node(value)); }
  bool RawNumber(const char* text, rapidjson::SizeType size, bool) {
    return add(Node(Node::Kind::Number, std::string(text, size)));
  }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    return is_unicode({text, size}) && add(Node(Node::Kind::String, std::string(text, size)));
  }
  bool StartObject() { return open(); }
  bool Key(const char* text, rapidjson::SizeType size, bool);
  bool EndObject(rapidjson::SizeType) { return has_passed() || add(Node(close().members)); }
  bool StartArray() { return open(); }
  bool EndArray(rapidjson::SizeType) { return has_passed() || add(Node(close().items)); }

  // Numbers come as RawNumber (kParseNumbersAsStringsFlag), never as one of these, which RapidJSON wants all the same.
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }

  const std::string& refusal() const { return refusal_; }
  Node take_root() { return std::move(root_); }

 private:
  bool refuse(std::string why) {
    refusal_ = std::move(why);
    return false;
  }
  // RapidJSON lets a lone \udc00 through, as three bytes that are no UTF-8.
  bool is_unicode(std::string_view text) {
    return passed_ || text::is_utf8(text) || refuse("A surrogate stands alone in a string.");
  }
  bool open() {
    if (passed_) {
      ++passed_->depth;
      return true;
    }
    if (open_.size() == limits_.depth)
      return refuse("Arrays and objects are nested deeper than " + std::to_string(limits_.depth) + " levels.");
    open_.emplace_back();
    return true;
  }
  Open close() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    return closed;
  }
  // The end of an array or object that is passed over, or of one within it.
  bool has_passed() {
    if (!passed_) return false;
    if (--passed_->depth == 0) passed_.reset();
    return true;
  }
  bool add(Node node);
  void keep_first(Node node);

  // A member that nobody wants, until its value has come.
  struct Passed {
    std::string name;
    std::size_t depth = 0;
  };

  const Limits& limits_;
  const Wanted* is_wanted_;
  std::optional<Passed> passed_;
  std::vector<Open> open_;
  Node root_;
  std::size_t values_ = 0;
  std::string refusal_;
};

bool Builder::Key(const char* text, rapidjson::SizeType size, bool) {
  if (passed_) return true;
  std::string name(text, size);
  if (is_wanted_ && open_.size() == 1 && !(*is_wanted_)(name)) {
    passed_ = Passed{std::move(name), 0};
    return true;
  }
  if (!is_unicode({text, size})) return false;
  if (!open_.back().names.insert(name).second)
    return refuse("The name " + text::quoted(name, longest_echo) + " occurs twice in one object.");
  open_.back().members.push_back({std::move(name), {}});
  return true;
}

void Builder::keep_first(Node node) {
  std::string name = std::move(passed_->name);
  passed_.reset();
  if (!text::is_utf8(name) || !text::is_utf8(node.text()) || !open_.back().names.insert(name).second) return;
  open_.back().members.push_back({std::move(name), std::move(node)});
}

bool Builder::add(Node node) {
  if (passed_) {
    if (passed_->depth == 0) keep_first(std::move(node));
    return true;
  }
  if (open_.empty()) {
    root_ = std::move(node);
    return true;
  }
  if (++values_ > limits_.values)
    return refuse("There are more than " + std::to_string(limits_.values) + " members and elements.");
  Open& parent = open_.back();
  // Only an object has names, and its newest one waits for this value.
  if (parent.members.empty()) parent.items.push_back(std::move(node));
  else parent.members.back().value = std::move(node);
  return true;
}

Error error_at(std::string_view text, std::size_t offset, std::string_view why) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t newline = before.rfind('\n');
  const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
  const std::size_t column = text::column(text.substr(start), offset - start);
  return bad_format("The JSON text is wrong at line " + std::to_string(line) + ", column " + std::to_string(column) +
                    ": " + std::string(why));
}

// RapidJSON takes an unescaped control character in a string for a wrong escape.
std::string_view problem(std::string_view text, const rapidjson::ParseResult& result) {
  const bool is_in_string = result.Code() == rapidjson::kParseErrorStringEscapeInvalid;
  if (is_in_string && result.Offset() < text.size() && static_cast<unsigned char>(text[result.Offset()]) < 0x20)
    return "a line break, tab or other control character stands unescaped in a string; write \\n, \\t or \\u00XX";
  return rapidjson::GetParseError_En(result.Code());
}

}  // namespace

const Node* Node::find(std::string_view name) const {
  const auto found = std::find_if(members_.begin(), members_.end(), [&](const Member& m) { return m.name == name; });
  return found == members_.end() ? nullptr : &found->value;
}

const std::string& string_of(const Node& object, std::string_view name) {
  static const std::string none;
  const Node* found = object.find(name);
  return found && found->kind() == Node::Kind::String ? found->text() : none;
}

const char* name(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::Null:
      return "null";
    case Node::Kind::Boolean:
      return "a Boolean";
    case Node::Kind::Number:
      return "a number";
    case Node::Kind::String:
      return "a string";
    case Node::Kind::Array:
      return "an array";
    case Node::Kind::Object:
      return "an object";
  }
  return "null";
}

namespace {

Result<Node> parse_document(const std::string& text, const Limits& limits, const Wanted* is_wanted) {
  // RapidJSON takes NUL for the end of the text and would never see what follows.
  if (const std::size_t nul = text.find('\0'); nul != std::string::npos)
    return error_at(text, nul, "A NUL character is not allowed.");
  // Checked here, not by kParseValidateEncodingFlag: RapidJSON's own check reads past the end of the buffer when the
  // text stops within a character.
  if (const std::size_t valid = text::valid_prefix(text); valid < text.size())
    return error_at(text, valid, "The text is not UTF-8.");
  Builder builder(limits, is_wanted);
  Reader reader;
  rapidjson::StringStream stream(text.c_str());
  constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag;
  const rapidjson::ParseResult result = reader.Parse<flags>(stream, builder);
  if (!result.IsError()) return builder.take_root();
  if (result.Code() == rapidjson::kParseErrorTermination) return error_at(text, result.Offset(), builder.refusal());
  return error_at(text, result.Offset(), problem(text, result));
}

}  // namespace

Value value_of_number(const std::string& digits) {
  const char* end = digits.data() + digits.size();
  std::int64_t whole = 0;
  if (const auto [stop, problem] = std::from_chars(digits.data(), end, whole); problem == std::errc() && stop == end)
    return whole;
  double real = 0;
  std::from_chars(digits.data(), end, real);
  return real;
}

Result<Node> parse(const std::string& text, const Limits& limits) { return parse_document(text, limits, nullptr); }

Result<Node> parse_wanted(const std::string& text, const Wanted& is_wanted, const Limits& limits) {
  return parse_document(text, limits, &is_wanted);
}

}  // namespace callisto::json
