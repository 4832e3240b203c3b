// POST {entity}, PUT and DELETE {entity}/{id}, PUT and POST {entity}/{id}/{action} (API rules 4). The answer is the
// record as a GET would show it.
#include "engine/api/api.h"
#include "engine/api/links.h"
#include "engine/api/requests/etags.h"
#include "engine/api/requests/json_body.h"
#include "engine/api/requests/repeat_key.h"
#include "engine/api/requests/visible_parent.h"
#include "engine/base/text.h"
#include "engine/json/read.h"
#include "engine/json/write.h"

#include <algorithm>

namespace callisto::api {

namespace {

constexpr std::size_t body_limit = 4 * 1024 * 1024;  // API rule 4.6, where no file is due

void render_link(const Call& call, const records::Written& written) {
  json::Writer writer(call.response.body);
  writer.begin_object();
  writer.key("_self").string(link(call.version(), written.entity->name + "/" + std::to_string(written.key)));
  writer.key("_context").string(link(call.version(), written.entity->name + "/$metadata"));
  for (const auto& [property, secret] : written.made_secrets)
    if (!call.access.fields.hides(*property)) writer.key(property->name).string(secret);
  writer.end_object();
}

// What was written may be what this session does not see, now or ever; nor may anything else that keeps it from being
// shown look as if it had not been written.
void render(const Call& call, const records::Written& written) {
  Route route;
  route.entity = written.entity;
  route.key = written.key;
  Call read = call.reading(route);
  read.written = written.record ? &*written.record : nullptr;
  read.made_secrets = written.made_secrets.empty() ? nullptr : &written.made_secrets;
  if (handle_record(read)) return;
  call.response.body.clear();
  render_link(call, written);
}

// An action that says what it answers.
void render_values(const Call& call, const catalog::Action& action, const script::NamedValues& values) {
  json::Writer writer(call.response.body);
  writer.begin_object();
  for (const catalog::Property* property : action.answers.properties) {
    const auto found = values.find(property->name);
    writer.key(property->name);
    json::append_value(writer.raw(), found == values.end() ? Value(Null{}) : found->second);
  }
  writer.end_object();
}

Result<void> answer(const Call& call, const records::Written& written) {
  if (written.values) {
    render_values(call, *written.action, *written.values);
    return {};
  }
  if (written.is_repeated) tell_repeated(call);
  render(call, written);
  return {};
}

// The transaction with its scripts, and the wait for its turn and its commit.
template <typename Write>
Result<records::Written> timed(const Call& call, const Write& write) {
  const auto begun = std::chrono::steady_clock::now();
  Result<records::Written> written = write();
  if (call.trace)
    call.trace->write +=
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begun);
  return written;
}

Result<void> create(const Call& call, const records::WriteRequest& write,
                    const std::optional<records::RepeatKey>& repeat) {
  CALLISTO_TRY(const records::Written written,
               timed(call, [&] { return call.served.writer.create(*call.route.entity, write, repeat); }));
  call.response.headers.emplace_back("Location", std::string(base_path(call.options)) + call.options.api_root + "/" +
                                                     std::string(call.version()) + "/" + written.entity->name + "/" +
                                                     std::to_string(written.key));
  return answer(call, written);
}

// An action of a record that stands below another: webhook/3/delivery/7/redeliver.
Result<void> act_below(const Call& call, const records::WriteRequest& write,
                       const std::optional<records::RepeatKey>& repeat) {
  {
    CALLISTO_TRY(auto slot, borrow_slot(call));
    CALLISTO_CHECK(find_below(call, *slot));
  }
  CALLISTO_TRY(const records::Written written, timed(call, [&] {
                 return call.served.writer.act(*call.route.sub->entity, *call.route.sub_key, call.route.action->name,
                                               write, repeat);
               }));
  return answer(call, written);
}

const NativeAction* native_action(const Call& call) {
  if (!call.route.action || call.route.sub) return nullptr;
  const auto found = call.options.native_actions.find(call.route.entity->name + "/" + call.route.action->name);
  return found == call.options.native_actions.end() ? nullptr : &found->second;
}

// Nothing of it waits for the one who writes, nor does anybody for it.
Result<void> act_natively(const Call& call, const records::WriteRequest& request, const NativeAction& action) {
  std::counting_semaphore<>& turns = *call.options.native_turns;
  if (!turns.try_acquire_for(call.options.native_patience))
    return unavailable("Too many such actions are running. Try again shortly.", 1);
  const std::unique_ptr<std::counting_semaphore<>, void (*)(std::counting_semaphore<>*)> turn(
      &turns, [](std::counting_semaphore<>* taken) { taken->release(); });
  CALLISTO_TRY(auto slot, borrow_slot(call));
  const records::Context context = call.context(*slot);
  CALLISTO_TRY(const records::Asked asked,
               call.served.writer.ask(context, *call.route.entity, *call.route.key, call.route.action->name, request));
  CALLISTO_TRY(call.response.body, action(context, asked));
  return {};
}

// PUT of a record and DELETE may come again as they are. Of a secret no digest is kept that could be guessed at, and of
// an answer that is no record no copy.
bool may_be_once(const Route& route) {
  if (!route.action) return !route.key;
  if (!route.action->answers.properties.empty()) return false;
  const auto is_secret = [](const catalog::Parameter& each) { return each.secret != catalog::Parameter::Secret::No; };
  return std::none_of(route.action->parameters.begin(), route.action->parameters.end(), is_secret);
}

}  // namespace

Result<void> handle_write(const Call& call) {
  CALLISTO_TRY(const std::string bytes, call.request.body(std::min(body_limit, call.options.body_bytes)));
  const records::WriteRequest write{call.session, parse_json(call.request, bytes), if_match(call.request),
                                    cause_of(call.options, call.request)};
  if (const NativeAction* native = native_action(call)) return act_natively(call, write, *native);
  std::optional<records::RepeatKey> repeat;
  if (may_be_once(call.route)) { CALLISTO_TRY(repeat, repeat_key(call, bytes)); }
  if (call.route.sub) return act_below(call, write, repeat);
  if (!call.route.key) return create(call, write, repeat);
  const bool is_delete = call.request.method == "DELETE";
  const std::string_view action = call.route.action ? std::string_view(call.route.action->name)
                                  : is_delete       ? "delete"
                                                    : "update";
  CALLISTO_TRY(const records::Written written, timed(call, [&] {
                 return call.served.writer.act(*call.route.entity, *call.route.key, action, write, repeat);
               }));
  if (is_delete) {
    render_link(call, written);
    return {};
  }
  return answer(call, written);
}

}  // namespace callisto::api
