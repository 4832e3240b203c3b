#include "webhooks/inline_images.h"

#include "engine/base/text.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace callisto::webhooks {

namespace {

constexpr std::size_t most_images = 100;  // different ones

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

// Where a tag ends, and where the value of its src stands, without its quotes; an empty range: none.
struct Tag {
  std::size_t end = 0, begin = 0, stop = 0;
};

// Walks over a tag as a browser does, so that both see the same images. The text is that of a JSON string: a quote is
// \", a line break \n.
class TagReader {
 public:
  TagReader(std::string_view html, std::size_t at) : html_(html), at_(at) {}

  Tag read() {
    Tag tag;
    skip_to(" />");  // what is left of the tag's name
    for (skip(" /"); !over() && symbol() != '>'; skip(" /")) {
      const std::size_t begin = at_;
      skip_to(" =/>");
      const std::string_view name = html_.substr(begin, at_ - begin);
      skip(" ");
      if (over() || symbol() != '=') continue;
      next();
      skip(" ");
      const auto [first, last] = value();
      if (tag.begin != 0 || !text::equals_ignoring_ascii_case(name, "src")) continue;
      tag.begin = first;
      tag.stop = last;
    }
    tag.end = at_;
    return tag;
  }

 private:
  bool over() const { return at_ >= html_.size(); }

  // A blank of any kind is ' ', and a quote itself.
  char symbol() const {
    if (html_[at_] != '\\') return html_[at_];
    const char escaped = at_ + 1 < html_.size() ? html_[at_ + 1] : '\\';
    return std::string_view("ntrf").find(escaped) != std::string_view::npos ? ' ' : escaped == '"' ? '"' : '\\';
  }
  void next() { at_ += html_[at_] == '\\' ? 2 : 1; }
  void skip(std::string_view symbols) {
    while (!over() && symbols.find(symbol()) != symbols.npos) next();
  }
  void skip_to(std::string_view symbols) {
    while (!over() && symbols.find(symbol()) == symbols.npos) next();
  }

  // An empty range where its quote never ends: nobody would see such an image.
  std::pair<std::size_t, std::size_t> value() {
    const char quote = over() ? ' ' : symbol();
    const bool is_quoted = quote == '"' || quote == '\'';
    if (is_quoted) next();
    const std::size_t begin = at_;
    skip_to(is_quoted ? std::string_view(&quote, 1) : " >");
    const std::size_t stop = is_quoted && over() ? begin : at_;
    if (is_quoted && !over()) next();
    return {begin, stop};
  }

  std::string_view html_;
  std::size_t at_;
};

// The text between the quotes of one JSON string, escapes and all: those of a quote, which HTML may hold, are \".
class HtmlText {
 public:
  HtmlText(const catalog::Catalog& catalog, const Subject& subject, const std::vector<Attachment>& files,
           std::size_t room)
      : catalog_(catalog), subject_(subject), files_(files), room_(room) {}

  void rewrite(std::string_view html, Body& out) {
    std::size_t done = 0;
    for (std::size_t at = 0; (at = find_tag(html, at)) != html.npos;) {
      const Tag tag = TagReader(html, at + 4).read();
      at = tag.end;
      const Attachment* file = tag.begin == tag.stop ? nullptr : shown_by(html.substr(tag.begin, tag.stop - tag.begin));
      if (!file) continue;
      out.text += html.substr(done, tag.begin - done);
      out.text += lead_of(*file);
      out.append_file(file->source, file->ref, file->stored);
      done = tag.stop;
    }
    out.text += html.substr(done);
  }

 private:
  static std::size_t find_tag(std::string_view html, std::size_t from) {
    for (std::size_t at = from; (at = html.find('<', at)) != html.npos; ++at)
      if (text::equals_ignoring_ascii_case(html.substr(at + 1, 3), "img")) return at;
    return html.npos;
  }

  static std::string lead_of(const Attachment& file) { return "data:" + media_type(file.content_type) + ";base64,"; }

  // Null: the address stays.
  const Attachment* shown_by(std::string_view url) {
    const auto address = file_address(url);
    const catalog::Entity* entity = address ? catalog_.find(address->entity) : nullptr;
    if (!entity || &entity->root() != &subject_.entity->root() || address->key != subject_.key) return nullptr;
    const auto file = std::find_if(files_.begin(), files_.end(),
                                   [&](const Attachment& each) { return each.ref == address->attachment; });
    if (file == files_.end()) return nullptr;
    const std::size_t size = lead_of(*file).size() + base64_size(file->stored);
    if (size > room_ || (shown_.size() >= most_images && !shown_.contains(file->ref))) return nullptr;
    shown_.insert(file->ref);
    room_ -= size;
    return &*file;
  }

  const catalog::Catalog& catalog_;
  const Subject& subject_;
  const std::vector<Attachment>& files_;
  std::size_t room_;
  std::set<std::int64_t> shown_;
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

Result<Body> with_inline_images(RecordSource& source, const Subject& subject, const Columns& columns,
                                std::size_t most_bytes) {
  const std::string& json = columns.json;
  if (columns.html.empty() || json.find("/attachment/") == json.npos || json.size() >= most_bytes)
    return Body{json, {}};
  CALLISTO_TRY(const auto files, source.attachments(subject));
  HtmlText html(source.catalog(), subject, files, most_bytes - json.size());
  Body out;
  std::string_view name;
  for (std::size_t at = 0; at < json.size();) {
    const std::size_t quote = std::min(json.find('"', at), json.size());
    out.text.append(json, at, quote - at);
    if (quote == json.size()) break;
    const std::size_t end = end_of_string(json, quote);
    const std::string_view inside = std::string_view(json).substr(quote + 1, end - quote - 1);
    const bool is_name = end + 1 < json.size() && json[end + 1] == ':';
    const bool is_html = !is_name && std::find(columns.html.begin(), columns.html.end(), name) != columns.html.end();
    if (is_name) name = inside;
    out.text += '"';
    if (is_html) html.rewrite(inside, out);
    else out.text += inside;
    out.text += '"';
    at = end + 1;
  }
  return out;
}

}  // namespace callisto::webhooks
