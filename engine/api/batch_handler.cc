// POST {entity}/$batch: many records made and updated by one request, in one transaction or each in its own (decision
// 0050). Each is what POST or PUT would have done with it.
#include "engine/api/api.h"
#include "engine/api/links.h"
#include "engine/api/render_error.h"
#include "engine/api/requests/etags.h"
#include "engine/api/requests/json_body.h"
#include "engine/api/requests/repeat_key.h"
#include "engine/json/write.h"

#include <algorithm>
#include <charconv>

namespace callisto::api {

namespace {

constexpr std::size_t most_records = 1000;
constexpr std::size_t body_limit = 4 * 1024 * 1024;  // as of one record (API rule 4.6)
constexpr json::Limits json_limits{32, 100'000};
constexpr std::string_view if_match_member = "_ifMatch";

struct Part {
  std::optional<std::int64_t> key;  // of the record to update; none: a new one
  records::WriteRequest write;
  std::optional<records::RepeatKey> repeat = std::nullopt;
};

struct Batch {
  bool is_atomic = true;
  std::vector<Part> parts;
};

std::string place_of(std::size_t number) { return "Records[" + std::to_string(number) + "]"; }

Result<std::int64_t> key_in(const json::Node& value, const std::string& name) {
  std::int64_t key = 0;
  const std::string& digits = value.text();
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), key);
  if (value.kind() != json::Node::Kind::Number || problem != std::errc() || end != digits.data() + digits.size())
    return bad_format(name + ": the key of the record to update is a whole number; leave it out to make a record.");
  return key;
}

// The record's key and the version that it must have stand beside its properties.
Result<Part> part_of(const Call& call, const json::Node& record) {
  if (record.kind() != json::Node::Kind::Object)
    return bad_format("a record is a JSON object, not " + std::string(json::name(record.kind())) + ".");
  const std::string& key_name = call.route.entity->key.front()->name;
  std::optional<std::int64_t> key;
  std::string if_match;
  std::vector<json::Member> rest;
  for (const json::Member& member : record.members()) {
    if (member.name == key_name) {
      CALLISTO_TRY(key, key_in(member.value, key_name));
    } else if (member.name == if_match_member) {
      if (member.value.kind() != json::Node::Kind::String) return bad_format("_ifMatch is a text: the record's ETag.");
      if_match = member.value.text();
    } else {
      rest.push_back(member);
    }
  }
  if (!if_match.empty() && !key)
    return bad_format("_ifMatch is for a record that exists: give its " + key_name + " too.");
  return Part{key,
              {call.session, json::Node(std::move(rest)), std::move(if_match), cause_of(call.options, call.request)}};
}

Error in_record(Error error, std::size_t number) {
  error.message.insert(0, place_of(number) + ": ");
  for (PropertyError& each : error.errors) each.property.insert(0, place_of(number) + ".");
  return error;
}

// {"Records": [...], "Atomic": true}, or the list alone.
Result<Batch> read_batch(const Call& call, const json::Node& body) {
  Batch batch;
  const json::Node* records = body.kind() == json::Node::Kind::Array ? &body : nullptr;
  for (const json::Member& member : body.members()) {
    if (member.name == "Records" && member.value.kind() == json::Node::Kind::Array) records = &member.value;
    else if (member.name == "Atomic" && member.value.kind() == json::Node::Kind::Boolean)
      batch.is_atomic = member.value.boolean();
    else
      return bad_format("A batch is {\"Records\": [...], \"Atomic\": true or false}, or the list alone; '" +
                        member.name + "' is no such member or of another type.");
  }
  if (!records || records->items().empty())
    return bad_format("Give at least one record: {\"Records\": [{...}, {...}]}.");
  if (records->items().size() > most_records)
    return bad_format("A batch holds at most " + std::to_string(most_records) + " records; these are " +
                      std::to_string(records->items().size()) + ". Send several batches.");
  for (std::size_t i = 0; i < records->items().size(); ++i) {
    auto part = part_of(call, records->items()[i]);
    if (!part) return in_record(std::move(part).error(), i);
    batch.parts.push_back(*std::move(part));
  }
  return batch;
}

// Each record may be repeated for itself: where a batch was cut off, its records that are there are not made again.
Result<void> add_repeat_keys(const Call& call, const std::string& bytes, Batch& batch) {
  CALLISTO_TRY(const auto repeat, repeat_key(call, bytes));
  for (std::size_t i = 0; repeat && i < batch.parts.size(); ++i)
    if (!batch.parts[i].key)
      batch.parts[i].repeat = records::RepeatKey{repeat->key + "/" + std::to_string(i), repeat->digest};
  return {};
}

template <typename Target>
Result<records::Written> write(const Call& call, Target& target, const Part& part) {
  if (!part.key) return target.create(*call.route.entity, part.write, part.repeat);
  return target.act(*call.route.entity, *part.key, "update", part.write);
}

void append_written(const Call& call, const records::Written& written, json::Writer& writer) {
  writer.begin_object();
  writer.key("Status").integer(200);
  writer.key("_self").string(link(call.version(), written.entity->name + "/" + std::to_string(written.key)));
  writer.key(written.entity->key.front()->name).integer(written.key);
  for (const auto& [property, secret] : written.made_secrets)
    if (!call.access.fields.hides(*property)) writer.key(property->name).string(secret);
  if (written.is_repeated) writer.key("Replayed").boolean(true);
  writer.end_object();
}

void append_failed(const Error& error, json::Writer& writer) {
  writer.begin_object();
  writer.key("Status").integer(error.status);
  writer.key("Error");
  append_error(writer.raw(), error);
  writer.end_object();
}

using Answers = std::vector<Result<records::Written>>;

Result<Answers> written_at_once(const Call& call, const Batch& batch) {
  Answers answers;
  const auto all = [&](records::Together& together) -> Result<void> {
    answers.clear();
    for (const Part& part : batch.parts) {
      auto written = write(call, together, part);
      if (!written) return in_record(std::move(written).error(), answers.size());
      answers.push_back(std::move(written));
    }
    return {};
  };
  CALLISTO_CHECK(call.served.writer.together(call.session, all, batch.parts.front().write.cause));
  return answers;
}

Result<Answers> written_one_by_one(const Call& call, const Batch& batch) {
  Answers answers;
  for (const Part& part : batch.parts) {
    answers.push_back(write(call, call.served.writer, part));
    const Result<records::Written>& last = answers.back();
    if (!last && last.error().status == 403 && call.trace)
      call.trace->denied.push_back({part.key, last.error().message});
  }
  return answers;
}

void render(const Call& call, const Answers& answers) {
  json::Writer writer(call.response.body);
  writer.begin_object();
  writer.key("_self").string(link(call.version(), call.route.entity->name + "/$batch"));
  const auto is_done = [](const auto& each) { return each.has_value(); };
  const auto done = std::count_if(answers.begin(), answers.end(), is_done);
  writer.key("Succeeded").integer(done);
  writer.key("Failed").integer(static_cast<std::int64_t>(answers.size()) - done);
  writer.key("results").begin_array();
  for (const auto& each : answers) {
    if (each) append_written(call, *each, writer);
    else append_failed(each.error(), writer);
  }
  writer.end_array();
  writer.end_object();
}

}  // namespace

Result<void> handle_batch(const Call& call) {
  if (!call.request.raw_query.empty()) return bad_option({}, "A batch has no options; its answer says what it made.");
  CALLISTO_TRY(const std::string bytes, call.request.body(std::min(body_limit, call.options.body_bytes)));
  CALLISTO_TRY(const json::Node body, parse_json(call.request, bytes, json_limits));
  CALLISTO_TRY(Batch batch, read_batch(call, body));
  CALLISTO_CHECK(add_repeat_keys(call, bytes, batch));
  const auto begun = std::chrono::steady_clock::now();
  auto answers = batch.is_atomic ? written_at_once(call, batch) : written_one_by_one(call, batch);
  if (call.trace)
    call.trace->write +=
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begun);
  CALLISTO_CHECK(answers);
  render(call, *answers);
  return {};
}

}  // namespace callisto::api
