// POST {entity}, PUT and DELETE {entity}/{id}, PUT and POST {entity}/{id}/{action} (decisions.md 4). The answer is the
// record as a GET would show it after the commit.
#include "engine/api/api.h"
#include "engine/api/json_body.h"
#include "engine/api/links.h"
#include "engine/api/visible_parent.h"
#include "engine/auth/token.h"
#include "engine/base/text.h"
#include "engine/json/read.h"
#include "engine/json/write.h"

#include <algorithm>

namespace callisto::api {

namespace {

constexpr std::size_t body_limit = 4 * 1024 * 1024;  // decisions.md 4.6, where no file is due
constexpr std::size_t repeat_key_limit = 200;

std::string digest_of(const Call& call, const std::string& bytes) {
  return auth::stored(auth::digest_of(std::string(call.request.raw_path) + "\n" + bytes));
}

Result<std::optional<records::RepeatKey>> repeat_key(const Call& call, const std::string& bytes) {
  const std::string_view key = text::trim(call.request.header("Idempotency-Key"));
  if (key.empty()) return std::optional<records::RepeatKey>();
  if (key.size() > repeat_key_limit)
    return bad_format("Idempotency-Key: at most " + std::to_string(repeat_key_limit) + " characters.");
  return std::optional(records::RepeatKey{std::string(key), digest_of(call, bytes)});
}

void render_link(const Call& call, const records::Written& written) {
  json::Writer writer(call.response.body);
  writer.begin_object();
  writer.key("_self").string(link(call.version(), written.entity->name + "/" + std::to_string(written.key)));
  writer.key("_context").string(link(call.version(), written.entity->name + "/$metadata"));
  writer.end_object();
}

// The one time that a client sees them. A quote inside a text is escaped, so what is found here is the member.
void tell_secrets(std::string& body, const records::Written& written) {
  for (const auto& [property, secret] : written.made_secrets) {
    const std::string name = ",\"" + property->name + "\":\"";
    const std::size_t at = body.find(name + std::string(catalog::system::sealed_mask) + '"');
    if (at != body.npos) body.replace(at + name.size(), catalog::system::sealed_mask.size(), secret);
  }
}

// What was written may be what this session does not see, now or ever.
Result<void> render(const Call& call, const records::Written& written) {
  if (!written.reply.empty()) {
    call.response.body = written.reply;
    return {};
  }
  Route route;
  route.entity = written.entity;
  route.key = written.key;
  Call read{call.request, call.response, call.options, call.model, call.metadata, call.queries,
            call.etags,   call.slots,    call.session, route,      nullptr,       call.seen};
  read.has_waited = true;
  auto rendered = handle_record(read);
  if (rendered) tell_secrets(call.response.body, written);
  if (rendered || rendered.error().sub_status != SubStatus::RecordNotFound) return rendered;
  render_link(call, written);
  return {};
}

// The transaction with its scripts, and the wait for its turn and its commit.
template <typename Write>
Result<records::Written> timed(const Call& call, const Write& write) {
  const auto begun = std::chrono::steady_clock::now();
  Result<records::Written> written = write();
  if (call.seen)
    call.seen->write += std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begun);
  return written;
}

Result<void> create(const Call& call, const records::WriteRequest& write, const std::string& bytes) {
  CALLISTO_TRY(const auto repeat, repeat_key(call, bytes));
  CALLISTO_TRY(const records::Written written,
               timed(call, [&] { return call.writer->create(*call.route.entity, write, repeat); }));
  call.response.headers.emplace_back("Location", call.options.api_root + "/" + std::string(call.version()) + "/" +
                                                     written.entity->name + "/" + std::to_string(written.key));
  if (written.is_repeated) call.response.headers.emplace_back("Idempotent-Replayed", "true");
  return render(call, written);
}

// An action of a record that stands below another: webhook/3/delivery/7/redeliver.
Result<void> act_below(const Call& call, const records::WriteRequest& write) {
  {
    CALLISTO_TRY(auto slot, borrow_slot(call));
    CALLISTO_CHECK(find_below(call, *slot));
  }
  CALLISTO_TRY(const records::Written written, timed(call, [&] {
                 return call.writer->act(*call.route.sub->entity, *call.route.sub_key, call.route.action->name, write);
               }));
  return render(call, written);
}

}  // namespace

Result<void> handle_write(const Call& call) {
  CALLISTO_TRY(const std::string bytes, call.request.body(std::min(body_limit, call.options.body_bytes)));
  const records::WriteRequest write{call.session, parse_json(call.request, bytes), call.request.header("If-Match"),
                                    hops_of(call.request)};
  if (call.route.sub) return act_below(call, write);
  if (!call.route.key) return create(call, write, bytes);
  const bool is_delete = call.request.method == "DELETE";
  const std::string_view action = call.route.action ? std::string_view(call.route.action->name)
                                  : is_delete       ? "delete"
                                                    : "update";
  CALLISTO_TRY(const records::Written written,
               timed(call, [&] { return call.writer->act(*call.route.entity, *call.route.key, action, write); }));
  if (is_delete) {
    render_link(call, written);
    return {};
  }
  return render(call, written);
}

}  // namespace callisto::api
