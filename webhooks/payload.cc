#include "webhooks/payload.h"

#include "engine/base/text.h"
#include "engine/json/write.h"
#include "webhooks/inline_images.h"
#include "webhooks/name_filter.h"

#include <algorithm>
#include <functional>

namespace callisto::webhooks {

namespace {

constexpr std::size_t bytes_beside_data = 200;  // of a file's object, but for its name and data

std::size_t json_size(const Attachment& file) {
  return base64_size(file.stored) + 6 * file.name.size() + file.content_type.size() + bytes_beside_data;
}

// Of one that is gone no data is told.
void write_file(Body& body, json::Writer& writer, const Attachment& file, bool is_gone) {
  writer.begin_object();
  writer.key("Ref").integer(file.ref);
  writer.key("Name").string(file.name);
  writer.key("FileSize").integer(file.size);
  writer.key("ContentType").string(file.content_type);
  writer.key("Data");
  if (is_gone) {
    writer.null();
  } else {
    writer.raw() += '"';
    body.append_file(file.source, file.ref, file.stored);
    writer.raw() += '"';
  }
  writer.end_object();
}

void write_files(Body& body, json::Writer& writer, const Happening& happening, const std::vector<Choice>& choices) {
  writer.key("Attachments").begin_array();
  for (const Choice& choice : choices) {
    if (!choice.reason.empty()) continue;
    writer.element();
    write_file(body, writer, choice.file, happening.file_is_gone && happening.file->ref == choice.file.ref);
  }
  writer.end_array();
}

Result<std::vector<Attachment>> candidates(RecordSource& source, const Happening& happening, bool all_files) {
  CALLISTO_TRY(auto files, source.attachments(happening.subject));
  const auto& own = happening.file;
  const auto is_own = [&](const Attachment& each) { return own && each.ref == own->ref; };
  if (own && std::none_of(files.begin(), files.end(), is_own)) files.push_back(*own);
  if (!all_files) std::erase_if(files, std::not_fn(is_own));
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

Result<Payload> render_payload(RecordSource& source, const Subscription& subscription, const Happening& happening,
                               bool all_files) {
  CALLISTO_TRY(const Columns columns, source.columns(happening.subject, subscription.select));
  CALLISTO_TRY(const Body record, with_inline_images(source, happening.subject, columns, most_body_bytes));
  Payload payload;
  Body& body = payload.body;
  json::Writer writer(body.text);
  writer.begin_object();
  writer.key("Action").string(happening.event);
  if (happening.history_order) writer.key("ActionHistoryId").integer(*happening.history_order);
  writer.key(subscription.core_type);
  body.append(record);
  if (all_files || happening.file) {
    CALLISTO_TRY(auto files, candidates(source, happening, all_files));
    std::size_t used = body.text.size() + bytes_beside_data;
    for (const Body::File& file : body.files) used += base64_size(file.bytes);
    CALLISTO_TRY(payload.files,
                 choose(subscription, std::move(files), most_body_bytes - std::min(most_body_bytes, used)));
    write_files(body, writer, happening, payload.files);
  }
  writer.end_object();
  return payload;
}

Body ping_body(std::int64_t webhook) {
  Body body;
  json::Writer writer(body.text);
  writer.begin_object();
  writer.key("Action").string("Ping");
  writer.key("Webhook").integer(webhook);
  writer.end_object();
  return body;
}

}  // namespace callisto::webhooks
