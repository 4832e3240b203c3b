#include "engine/api/answers/position_bytes.h"

#include <bit>
#include <cstdint>
#include <variant>

namespace callisto::api {

namespace {

void append_number(std::string& out, std::uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8) out += static_cast<char>(number >> shift & 0xFF);
}

void append_number(std::string& out, char type, std::int64_t number) {
  append_number(out += type, static_cast<std::uint64_t>(number));
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  bool at_end() const { return bytes_.empty(); }
  std::optional<Value> next() {
    const char type = bytes_.front();
    bytes_.remove_prefix(1);
    if (type == 'n') return Value(Null{});
    if (bytes_.size() < 8) return std::nullopt;
    return of_type(type, number());
  }

 private:
  std::uint64_t number() {
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < 8; ++i)
      result |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes_[i])) << (8 * i);
    bytes_.remove_prefix(8);
    return result;
  }

  std::optional<Value> of_type(char type, std::uint64_t number) {
    const auto whole = static_cast<std::int64_t>(number);
    switch (type) {
      case 'b':
        return Value(number != 0);
      case 'i':
        return Value(whole);
      case 'r':
        return Value(std::bit_cast<double>(number));
      case 't':
        return Value(DateTime{whole});
      case 's':
        return text(number);
      case 'd':
        return decimal(whole);
      default:
        return std::nullopt;
    }
  }

  std::optional<Value> text(std::uint64_t size) {
    if (size > bytes_.size()) return std::nullopt;
    Value result(std::string(bytes_.substr(0, size)));
    bytes_.remove_prefix(size);
    return result;
  }

  std::optional<Value> decimal(std::int64_t digits) {
    if (bytes_.empty()) return std::nullopt;
    const int scale = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return Value(Decimal{digits, scale});
  }

  std::string_view bytes_;
};

}  // namespace

void append_value_bytes(std::string& out, const Value& value) {
  struct Visitor {
    std::string& out;
    void operator()(Null) const { out += 'n'; }
    void operator()(bool flag) const { append_number(out, 'b', flag ? 1 : 0); }
    void operator()(std::int64_t number) const { append_number(out, 'i', number); }
    void operator()(double number) const { append_number(out += 'r', std::bit_cast<std::uint64_t>(number)); }
    void operator()(DateTime moment) const { append_number(out, 't', moment.ms); }
    void operator()(const std::string& text) const { append_number(out += 's', text.size()), out += text; }
    void operator()(const Decimal& number) const {
      append_number(out, 'd', number.digits);
      out += static_cast<char>(number.scale);
    }
    void operator()(const Binary&) const { out += 'n'; }
  };
  std::visit(Visitor{out}, value);
}

std::optional<std::vector<Value>> values_of(std::string_view bytes) {
  Reader reader(bytes);
  std::vector<Value> values;
  while (!reader.at_end()) {
    auto value = reader.next();
    if (!value) return std::nullopt;
    values.push_back(*std::move(value));
  }
  return values;
}

}  // namespace callisto::api
