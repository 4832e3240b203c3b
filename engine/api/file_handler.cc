// {entity}/{id}/attachment and the urls below it, and bytes of a record such as person/{id}/image (API rule 4.6).
#include "engine/api/api.h"
#include "engine/api/links.h"
#include "engine/api/requests/content.h"
#include "engine/api/requests/etags.h"
#include "engine/api/requests/json_body.h"
#include "engine/api/requests/repeat_key.h"
#include "engine/api/requests/upload.h"
#include "engine/api/requests/visible_parent.h"
#include "engine/http/media_type.h"
#include "engine/json/write.h"
#include "engine/records/files.h"
#include "engine/records/visible.h"

namespace callisto::api {

namespace {

using catalog::Entity;
using catalog::Property;

std::string text_of(const records::Record& record, const Property* property) {
  const Value value = property ? record.get(*property) : Value(Null{});
  const auto* text = std::get_if<std::string>(&value);
  return text ? *text : std::string();
}

Result<records::Record> readable(const Call& call, records::Slot& slot) {
  const Route& route = call.route;
  if (route.sub) return find_below(call, slot);
  const records::Context context = call.context(slot);
  CALLISTO_TRY(auto record, records::find_visible(context, *route.entity, *route.key));
  if (!record) return records::not_visible(*route.entity);
  return *std::move(record);
}

Result<void> send(const Call& call) {
  CALLISTO_TRY(auto slot, borrow_slot(call));
  CALLISTO_TRY(const records::Record record, readable(call, *slot));
  const records::Context context = call.context(*slot);
  records::RuleCheck rules(context);
  CALLISTO_TRY(const records::RecordFields fields, rules.fields(record));
  const Value value = fields.hides(*call.route.content) ? Value(Null{}) : record.get(*call.route.content);
  const auto* bytes = std::get_if<Binary>(&value);
  if (!bytes && call.access.fields.hides(*call.route.content))
    return resource_not_found("There is nothing at this path.");
  if (!bytes) return resource_not_found("This " + record.entity().name + " has no " + call.route.content->name + ".");
  Content content{bytes->bytes, {}, {}, etag_of(bytes->bytes, record)};
  if (const auto file = call.route.sub ? records::file_properties(record.entity()) : std::nullopt) {
    if (!fields.hides(*file->type)) content.type = text_of(record, file->type);
    if (!fields.hides(*file->name)) content.file_name = text_of(record, file->name);
  }
  return send_content(call, std::move(content));
}

// JSON and plain forms, which nobody means as the bytes of a picture.
bool is_of_a_program(const http::Request& request) {
  const std::string_view type = request.header("Content-Type");
  return http::has_media_type(type, http::json_media_type) || http::has_media_type(type, http::form_media_type);
}

UploadLimits limits_of(const Call& call) { return {call.options.body_bytes, call.served.writer.most_file_bytes()}; }

void append_link(const Call& call, std::string_view self) {
  json::Writer writer(call.response.body);
  writer.begin_object();
  writer.key("_self").string(link(call.version(), self));
  const Entity& entity = call.route.sub ? *call.route.sub->entity : *call.route.entity;
  writer.key("_context").string(link(call.version(), entity.name + "/$metadata"));
  writer.end_object();
}

std::string path_of(const Route& route, std::int64_t file) {
  return route.entity->name + "/" + std::to_string(*route.key) + "/" + route.sub->name + "/" + std::to_string(file);
}

// One file answers its record, several a list (API rule 4.6). They are written: what cannot be shown is a link.
void render_files(const Call& call, const std::vector<std::int64_t>& keys) {
  Route route = call.route;
  std::string all;
  for (const std::int64_t key : keys) {
    route.sub_key = key;
    call.response.body.clear();
    if (!handle_record(call.reading(route))) {
      call.response.body.clear();
      append_link(call, path_of(route, key));
    }
    all += (all.empty() ? "" : ",") + call.response.body;
  }
  call.response.body = keys.size() == 1 ? all : "{\"results\":[" + all + "]}";
  if (keys.size() > 1) std::erase_if(call.response.headers, [](const auto& header) { return header.first == "ETag"; });
}

// What another request would have to send to be the same one: a form's boundary may differ.
std::string sent_of(const records::WriteRequest& write, const std::vector<records::NewFile>& files,
                    const std::string& bytes) {
  std::string sent = bytes;
  if (!files.empty() && write.body)
    for (const json::Member& field : write.body->members())
      sent.append(field.name).append("\n").append(field.value.text()).append("\n");
  for (const records::NewFile& file : files)
    sent.append(file.name).append("\n").append(file.content_type).append("\n").append(file.content);
  return sent;
}

Result<void> add(const Call& call, const records::FilePlace& place, const records::WriteRequest& write,
                 std::vector<records::NewFile> files, const std::string& bytes) {
  std::optional<records::RepeatKey> repeat;
  if (asks_for_once(call)) { CALLISTO_TRY(repeat, repeat_key(call, sent_of(write, files, bytes))); }
  if (repeat && files.size() > 1) return bad_format("Idempotency-Key: send one file with it.");
  CALLISTO_TRY(const auto added, records::add_files(call.served.writer, place, write, std::move(files), repeat));
  if (added.is_repeated) tell_repeated(call);
  if (added.keys.size() == 1)
    call.response.headers.emplace_back("Location", std::string(base_path(call.options)) + call.options.api_root + "/" +
                                                       std::string(call.version()) + "/" +
                                                       path_of(call.route, added.keys.front()));
  render_files(call, added.keys);
  return {};
}

// What stays on the disk of it.
Result<void> take_upload(const Call& call, std::size_t bytes) {
  return call.options.rates ? call.options.rates->take_upload(call.session, bytes) : Result<void>();
}

Result<void> take_upload(const Call& call, const std::vector<records::NewFile>& files, const std::string& bytes) {
  std::size_t all = bytes.size();
  for (const records::NewFile& file : files) all += file.content.size();
  return take_upload(call, all);
}

// Before megabytes are taken in for nothing: API rule 4.5 has 404 and 403 come first. The transaction asks again.
Result<void> check_before_body(const Call& call) {
  CALLISTO_TRY(auto slot, borrow_slot(call));
  if (call.route.sub_key) CALLISTO_CHECK(find_below(call, *slot));
  return records::check_may_change(call.context(*slot), *call.route.entity, *call.route.key);
}

Result<void> write_files(const Call& call) {
  const Route& route = call.route;
  const records::FilePlace place{route.entity, *route.key, route.sub, route.sub_key.value_or(0)};
  records::WriteRequest write{call.session, json::Node(), if_match(call.request), cause_of(call.options, call.request)};
  if (call.request.method == "DELETE") {
    CALLISTO_CHECK(records::remove_file(call.served.writer, place, write));
    append_link(call, path_of(route, place.file));
    return {};
  }
  std::vector<records::NewFile> files;
  std::string bytes;
  if (is_multipart(call.request)) {
    CALLISTO_TRY(Upload upload, read_upload(call.request, limits_of(call)));
    files = std::move(upload.files);
    write.body = std::move(upload.fields);
  } else {
    CALLISTO_CHECK(check_json_type(call.request));
    CALLISTO_TRY(bytes, call.request.body(call.options.body_bytes));
    CALLISTO_TRY(write.body, parse_json(call.request, bytes));
  }
  CALLISTO_CHECK(take_upload(call, files, bytes));
  if (call.request.method == "POST") return add(call, place, write, std::move(files), bytes);
  if (files.size() > 1) return bad_format("Send one file to replace one.");
  CALLISTO_CHECK(records::change_file(call.served.writer, place, write,
                                      files.empty() ? std::nullopt : std::optional(std::move(files.front()))));
  render_files(call, {place.file});
  return {};
}

// The bytes themselves, or a form with one file.
Result<std::string> read_bytes(const Call& call) {
  if (is_multipart(call.request)) {
    CALLISTO_TRY(auto sent, read_upload(call.request, limits_of(call)));
    if (sent.files.size() > 1 || !sent.fields.is_null()) return bad_format("Send one file, and no other field.");
    return std::move(sent.files.front().content);
  }
  if (is_of_a_program(call.request))
    return unsupported_media_type(
        "Send the bytes themselves under their own type, or one file as multipart/form-data.");
  CALLISTO_CHECK(check_coding(call.request));
  CALLISTO_TRY(std::string bytes, call.request.body(call.options.body_bytes));
  if (bytes.empty()) return bad_format("The body has no bytes. DELETE removes what is stored.");
  return bytes;
}

Result<void> write_bytes(const Call& call) {
  const Route& route = call.route;
  const records::WriteRequest write{call.session, json::Node(), if_match(call.request),
                                    cause_of(call.options, call.request)};
  std::optional<std::string> bytes;
  if (call.request.method == "PUT") { CALLISTO_TRY(bytes, read_bytes(call)); }
  if (bytes) CALLISTO_CHECK(take_upload(call, bytes->size()));
  CALLISTO_CHECK(
      records::set_bytes(call.served.writer, *route.entity, *route.key, *route.content, write, std::move(bytes)));
  append_link(call, route.entity->name + "/" + std::to_string(*route.key));
  return {};
}

}  // namespace

Result<void> handle_files(const Call& call) {
  const bool reads = call.request.reads();
  if (reads) return send(call);
  CALLISTO_CHECK(check_before_body(call));
  return call.route.content ? write_bytes(call) : write_files(call);
}

}  // namespace callisto::api
