#include "engine/api/expanded.h"

#include "engine/base/text.h"

namespace callisto::api {

namespace {

// GET of a list, by whoever asks for the record.
class ListRequest : public http::Request {
 public:
  ListRequest(const http::Request& record, std::string_view name, std::string_view query)
      : record_(record), path_(std::string(record.raw_path) + "/" + std::string(name)) {
    method = "GET";
    raw_path = path_;
    raw_query = query;
    authority = record.authority;
    remote_address = record.remote_address;
    proxy_address = record.proxy_address;
    secure = record.secure;
  }
  // The list stands within JSON, whatever else the client would take, and an ETag is of all of it.
  std::string_view header(std::string_view name) const override { return is_hidden(name) ? "" : record_.header(name); }
  std::size_t header_count(std::string_view name) const override {
    return is_hidden(name) ? 0 : record_.header_count(name);
  }
  Result<std::string> body(std::size_t) override { return std::string(); }
  Result<void> read_body(std::size_t, const http::BodySink&) override { return {}; }

 private:
  static bool is_hidden(std::string_view name) {
    return text::equals_ignoring_ascii_case(name, "Accept") || text::equals_ignoring_ascii_case(name, "If-None-Match");
  }
  const http::Request& record_;
  const std::string path_;
};

Result<std::string> list_text(const Call& call, const Expansion& expansion) {
  Route route = call.route;
  route.sub = expansion.list;
  ListRequest request(call.request, expansion.list->name, expansion.raw_query);
  http::Response response;
  if (call.options.answers) response.memory = MemoryBudget::Share(*call.options.answers);
  const Call list{.request = request,
                  .response = response,
                  .options = call.options,
                  .served = call.served,
                  .session = call.session,
                  .route = route,
                  .trace = call.trace,
                  .has_waited = call.has_waited};
  if (auto done = handle_search(list); !done) {
    Error error = std::move(done).error();
    error.message.insert(0, "$expand of '" + expansion.list->name + "': ");
    return error;
  }
  return std::move(response.body);
}

// `out` is an object that is not ended yet.
void append_member(std::string& out, std::string_view name, std::string_view text) {
  if (out.back() != '{') out += ',';
  out.append("\"").append(name).append("\":").append(text);
}

}  // namespace

Result<void> embed_lists(const Call& call, const std::vector<Expansion>& expansions) {
  if (expansions.empty()) return {};
  std::string& out = call.response.body;
  out.back() = ',';
  out += "\"_embedded\":{";
  for (const Expansion& each : expansions) {
    CALLISTO_TRY(const std::string text, list_text(call, each));
    CALLISTO_CHECK(take_memory(call, out.size() + text.size()));
    append_member(out, each.list->name, text);
  }
  out += "}}";
  return {};
}

Result<std::string> expanded_metadata(const Call& call, const std::string& expand) {
  const catalog::Entity& entity = *call.route.entity;
  CALLISTO_TRY(const auto expansions, parse_expand(expand, entity, call.access));
  const PropertyView everything{&call.access, nullptr};
  std::string out = *call.served.metadata.entity(entity, everything)->body;
  out.back() = ',';
  out += "\"_embedded\":{";
  for (const Expansion& each : expansions) {
    if (!each.raw_query.empty()) return bad_option("$expand", "$expand: lists in metadata have no options");
    append_member(out, each.list->name, *call.served.metadata.entity(*each.list->entity, everything)->body);
  }
  return out + "}}";
}

}  // namespace callisto::api
