#include "engine/api/expanded.h"

#include "engine/base/text.h"
#include "engine/http/inner_request.h"

namespace callisto::api {

namespace {

// GET of a list, by whoever asks for the record.
class ListRequest final : public http::InnerRequest {
 public:
  ListRequest(http::Request& record, std::string_view name, std::string_view query)
      : http::InnerRequest(record), path_(std::string(record.raw_path) + "/" + std::string(name)) {
    method = "GET";
    raw_path = path_;
    raw_query = query;
  }

 private:
  // The list stands within JSON, whatever else the client would take, and an ETag is of all of it.
  std::optional<std::string_view> own_header(std::string_view name) const override {
    const bool is_hidden =
        text::equals_ignoring_ascii_case(name, "Accept") || text::equals_ignoring_ascii_case(name, "If-None-Match");
    return is_hidden ? std::optional<std::string_view>("") : std::nullopt;
  }
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
