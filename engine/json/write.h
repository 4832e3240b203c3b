// JSON out: functions that append one value to a buffer, for the hot path, and Writer, which sets commas, for metadata
// and error bodies. Text must be UTF-8 and is copied as it is. The caller owns the buffer; nothing else is allocated
// and nothing fails. Any thread, one buffer each.
#pragma once

#include "engine/base/value.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace callisto::json {

void append_string(std::string& out, std::string_view text);  // with its quotes and the escapes of RFC 8259
void append_integer(std::string& out, std::int64_t number);
void append_double(std::string& out, double number);  // shortest that reads back the same; NaN and infinities: null
using callisto::append_decimal;
void append_base64(std::string& out, std::string_view bytes);  // RFC 4648 section 4, in quotes
void append_value(std::string& out, const Value& value);       // moments in quotes, as to_iso8601() writes them

// Appends one document. Every call returns the writer, so that a key and its value stand in one line:
//   writer.begin_object().key("name").string("Call").end_object();
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out), start_(out.size()) {}

  Writer& begin_object() { return open('{'); }
  Writer& end_object() { return close('}'); }
  Writer& begin_array() { return open('['); }
  Writer& end_array() { return close(']'); }
  Writer& key(std::string_view name);
  Writer& string(std::string_view text);
  Writer& integer(std::int64_t number);
  Writer& real(double number);
  Writer& boolean(bool value);
  Writer& null();

  // The comma that an element of an array may need, before a value that is appended by other means.
  Writer& element();
  std::string& raw() { return out_; }  // exactly one value must be appended, after key() or element()

 private:
  Writer& open(char bracket);
  Writer& close(char bracket);
  std::string& out_;
  std::size_t start_;
};

}  // namespace callisto::json
