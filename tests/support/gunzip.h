// What a gzip body holds; "(broken)" where it is none that ends as it should. Pure.
#pragma once

#include <zlib.h>

#include <string>
#include <string_view>

namespace callisto::test {

inline std::string gunzip(std::string_view bytes) {
  constexpr int gzip_window = 15 + 16;
  z_stream stream{};
  if (inflateInit2(&stream, gzip_window) != Z_OK) return "(broken)";
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  int state = Z_OK;
  while (state == Z_OK) {
    char piece[16384];
    stream.next_out = reinterpret_cast<Bytef*>(piece);
    stream.avail_out = sizeof piece;
    state = inflate(&stream, Z_NO_FLUSH);
    out.append(piece, sizeof piece - stream.avail_out);
  }
  const bool whole = state == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  return whole ? out : "(broken)";
}

}  // namespace callisto::test
