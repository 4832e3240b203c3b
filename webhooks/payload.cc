#include "webhooks/payload.h"

#include "engine/base/text.h"
#include "engine/json/write.h"
#include "webhooks/inline_images.h"
#include "webhooks/name_filter.h"

#include <algorithm>

namespace callisto::webhooks {

namespace {

constexpr std::size_t bytes_beside_data = 200;  // of a file's object, but for its name and data

std::size_t json_size(const Attachment& file) {
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(0, file.size));
  return (size + 2) / 3 * 4 + 6 * file.name.size() + file.content_type.size() + bytes_beside_data;
}

void write_file(json::Writer& writer, const Attachment& file, const std::optional<std::string>& bytes) {
  writer.begin_object();
  writer.key("Ref").integer(file.ref);
  writer.key("Name").string(file.name);
  writer.key("FileSize").integer(file.size);
  writer.key("ContentType").string(file.content_type);
  writer.key("Data");
  if (bytes) json::append_base64(writer.raw(), *bytes);
  else writer.null();
  writer.end_object();
}

// A file that goes between its choice and its reading is told without data.
Result<void> write_files(json::Writer& writer, Desk& desk, const Happening& happening,
                         const std::vector<Choice>& choices) {
  writer.key("Attachments").begin_array();
  for (const Choice& choice : choices) {
    if (!choice.reason.empty()) continue;
    const bool is_gone = happening.file_is_gone && happening.file->ref == choice.file.ref;
    std::optional<std::string> bytes;
    if (!is_gone) { CALLISTO_TRY(bytes, desk.content(happening.subject, choice.file.ref)); }
    writer.element();
    write_file(writer, choice.file, bytes);
  }
  writer.end_array();
  return {};
}

Result<std::vector<Attachment>> candidates(Desk& desk, const Happening& happening, bool all_files) {
  std::vector<Attachment> files;
  if (all_files) { CALLISTO_TRY(files, desk.attachments(happening.subject)); }
  const auto& own = happening.file;
  const bool is_listed =
      own && std::any_of(files.begin(), files.end(), [&](const Attachment& each) { return each.ref == own->ref; });
  if (own && !is_listed) files.push_back(*own);
  return files;
}

}  // namespace

Result<std::vector<Choice>> choose(const Subscription& subscription, std::vector<Attachment> files, std::size_t room) {
  CALLISTO_TRY(const NameFilter names, NameFilter::parse(subscription.name_filter));
  std::stable_sort(files.begin(), files.end(), [](const Attachment& a, const Attachment& b) {
    return a.changed.ms != b.changed.ms ? a.changed.ms > b.changed.ms : a.ref > b.ref;
  });
  std::vector<Choice> choices;
  std::int64_t taken = 0;
  for (Attachment& file : files) {
    Choice choice{std::move(file), {}};
    const auto& [limit, count] = std::pair(subscription.size_limit_kib, subscription.count_limit);
    if (!names.matches(choice.file.name)) choice.reason = "its name matches no expression of the filter";
    else if (limit > 0 && choice.file.size > limit * 1024)
      choice.reason = "it is larger than " + std::to_string(limit) + " KiB";
    else if (count > 0 && taken >= count) choice.reason = "there are " + std::to_string(count) + " newer ones";
    else if (json_size(choice.file) > room) choice.reason = "the body would be larger than 25 MiB";
    if (choice.reason.empty()) {
      ++taken;
      room -= json_size(choice.file);
    } else if (choice.reason.ends_with("25 MiB")) {
      room = 0;  // the oldest go first
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

Result<Payload> render_payload(Desk& desk, const Subscription& subscription, const Happening& happening,
                               bool all_files) {
  CALLISTO_TRY(const Columns columns, desk.columns(happening.subject, subscription.select));
  CALLISTO_TRY(const std::string record, with_inline_images(desk, happening.subject, columns, most_body_bytes));
  Payload payload;
  json::Writer writer(payload.body);
  writer.begin_object();
  writer.key("Action").string(happening.event);
  if (happening.history_order) writer.key("ActionHistoryId").integer(*happening.history_order);
  writer.key(subscription.core_type).raw() += record;
  if (all_files || happening.file) {
    CALLISTO_TRY(auto files, candidates(desk, happening, all_files));
    const std::size_t used = payload.body.size() + bytes_beside_data;
    CALLISTO_TRY(payload.files,
                 choose(subscription, std::move(files), most_body_bytes - std::min(most_body_bytes, used)));
    CALLISTO_CHECK(write_files(writer, desk, happening, payload.files));
  }
  writer.end_object();
  return payload;
}

std::string ping_body(std::int64_t webhook) {
  std::string body;
  json::Writer writer(body);
  writer.begin_object();
  writer.key("Action").string("Ping");
  writer.key("Webhook").integer(webhook);
  writer.end_object();
  return body;
}

}  // namespace callisto::webhooks
