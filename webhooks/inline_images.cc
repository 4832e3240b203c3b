#include "webhooks/inline_images.h"

#include "engine/base/base64.h"
#include "engine/base/text.h"

#include <algorithm>
#include <charconv>

namespace callisto::webhooks {

namespace {

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

// A media type goes into an attribute: nothing in it may end that.
std::string media_type(const std::string& type) {
  const bool is_plain = !type.empty() && std::all_of(type.begin(), type.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("!#$&^_.+-/").find(static_cast<char>(c)) != std::string_view::npos;
  });
  return is_plain ? type : "application/octet-stream";
}

// The text between the quotes of one JSON string, escapes and all: those of a quote, which HTML may hold, are \".
class HtmlText {
 public:
  HtmlText(Desk& desk, const Subject& subject, const std::vector<Attachment>& files, std::size_t& room)
      : desk_(desk), subject_(subject), files_(files), room_(room) {}

  Result<std::string> rewrite(std::string_view html) {
    std::string out;
    std::size_t done = 0;
    for (std::size_t at = 0; (at = find_tag(html, at)) != html.npos;) {
      const std::size_t end = std::min(html.find('>', at), html.size());
      const auto [begin, stop] = source(html, at, end);
      at = end;
      if (begin == stop) continue;
      CALLISTO_TRY(const auto image, data_uri(html.substr(begin, stop - begin)));
      if (!image) continue;
      out.append(html, done, begin - done);
      out += *image;
      done = stop;
    }
    out.append(html, done);
    return out;
  }

 private:
  static std::size_t find_tag(std::string_view html, std::size_t from) {
    for (std::size_t at = from; (at = html.find('<', at)) != html.npos; ++at)
      if (text::equals_ignoring_ascii_case(html.substr(at + 1, 3), "img")) return at;
    return html.npos;
  }

  // Where the value of the tag's src stands, without its quotes; an empty range: none.
  static std::pair<std::size_t, std::size_t> source(std::string_view html, std::size_t at, std::size_t end) {
    const std::string_view tag = html.substr(0, end);
    for (std::size_t i = at; i + 4 < end; ++i) {
      if (!text::equals_ignoring_ascii_case(tag.substr(i, 3), "src") || tag[i - 1] != ' ') continue;
      std::size_t value = tag.find_first_not_of(' ', i + 3);
      if (value == tag.npos || tag[value] != '=') continue;
      value = tag.find_first_not_of(' ', value + 1);
      if (value == tag.npos) break;
      const std::string_view rest = tag.substr(value);
      const std::string_view quote = rest.starts_with("\\\"") ? "\\\"" : rest.starts_with('\'') ? "'" : "";
      const std::size_t begin = value + quote.size();
      const std::size_t stop = quote.empty() ? tag.find_first_of(" >", begin) : tag.find(quote, begin);
      return {begin, std::min(stop, end)};
    }
    return {at, at};
  }

  Result<std::optional<std::string>> data_uri(std::string_view url) {
    const auto address = file_address(url);
    const catalog::Entity* entity = address ? desk_.catalog().find(address->entity) : nullptr;
    if (!entity || &entity->root() != &subject_.entity->root() || address->key != subject_.key)
      return std::optional<std::string>();
    const auto file = std::find_if(files_.begin(), files_.end(),
                                   [&](const Attachment& each) { return each.ref == address->attachment; });
    if (file == files_.end() || static_cast<std::size_t>(file->size) * 4 / 3 > room_)
      return std::optional<std::string>();
    CALLISTO_TRY(const auto bytes, desk_.content(subject_, file->ref));
    if (!bytes) return std::optional<std::string>();
    std::string uri = "data:" + media_type(file->content_type) + ";base64," + encode_base64(*bytes, Base64::Padded);
    room_ -= std::min(room_, uri.size());
    return std::optional(std::move(uri));
  }

  Desk& desk_;
  const Subject& subject_;
  const std::vector<Attachment>& files_;
  std::size_t& room_;
};

std::size_t end_of_string(std::string_view json, std::size_t quote) {
  for (std::size_t at = quote + 1; at < json.size(); ++at) {
    if (json[at] == '\\') ++at;
    else if (json[at] == '"') return at;
  }
  return json.size();
}

}  // namespace

std::optional<FileAddress> file_address(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  if (url.ends_with("/content")) url.remove_suffix(8);
  const std::size_t file = url.rfind('/');
  if (file == url.npos) return std::nullopt;
  std::string_view above = url.substr(0, file);
  constexpr std::string_view list = "/attachment";
  if (!above.ends_with(list)) return std::nullopt;
  above.remove_suffix(list.size());
  const std::size_t key = above.rfind('/');
  if (key == above.npos) return std::nullopt;
  const std::string_view before = above.substr(0, key);
  const auto attachment = number(url.substr(file + 1));
  const auto record = number(above.substr(key + 1));
  if (!attachment || !record) return std::nullopt;
  return FileAddress{before.substr(before.rfind('/') + 1), *record, *attachment};
}

Result<std::string> with_inline_images(Desk& desk, const Subject& subject, const Columns& columns,
                                       std::size_t most_bytes) {
  const std::string& json = columns.json;
  if (columns.html.empty() || json.find("/attachment/") == json.npos || json.size() >= most_bytes) return json;
  CALLISTO_TRY(const auto files, desk.attachments(subject));
  std::size_t room = most_bytes - json.size();
  HtmlText html(desk, subject, files, room);
  std::string out;
  std::string_view name;
  for (std::size_t at = 0; at < json.size();) {
    const std::size_t quote = std::min(json.find('"', at), json.size());
    out.append(json, at, quote - at);
    if (quote == json.size()) break;
    const std::size_t end = end_of_string(json, quote);
    const std::string_view inside = std::string_view(json).substr(quote + 1, end - quote - 1);
    const bool is_name = end + 1 < json.size() && json[end + 1] == ':';
    const bool is_html = !is_name && std::find(columns.html.begin(), columns.html.end(), name) != columns.html.end();
    if (is_name) name = inside;
    out += '"';
    if (is_html) {
      CALLISTO_TRY(const std::string rewritten, html.rewrite(inside));
      out += rewritten;
    } else {
      out += inside;
    }
    out += '"';
    at = end + 1;
  }
  return out;
}

}  // namespace callisto::webhooks
