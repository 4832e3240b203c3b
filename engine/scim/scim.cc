#include "engine/scim/scim.h"

#include "engine/auth/client_right.h"
#include "engine/auth/server_session.h"
#include "engine/base/text.h"
#include "engine/http/bearer.h"
#include "engine/http/url.h"
#include "engine/json/node_text.h"
#include "engine/records/rules.h"
#include "engine/records/script_query.h"
#include "engine/scim/protocol/filter.h"
#include "engine/scim/protocol/refusal.h"
#include "engine/scim/resources/changes.h"
#include "engine/scim/resources/discovery.h"
#include "engine/scim/resources/provisioning.h"
#include "engine/scim/resources/resource_node.h"

#include <algorithm>
#include <charconv>

namespace callisto::scim {

namespace {

using json::Member;
using json::Node;

constexpr std::string_view right = "Administration";
constexpr std::string_view list_schema = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
constexpr std::chrono::milliseconds slot_patience{5000};
constexpr json::Limits body_limits{32, 500'000};
constexpr std::size_t most_keys = 10'000'000;
constexpr std::size_t usual_count = 100;

void write(int status, const Node& node, http::Response& response) {
  response.status = status;
  response.content_type = "application/scim+json; charset=utf-8";
  response.body = json::text_of(node);
}

Node number(std::size_t value) { return {Node::Kind::Number, std::to_string(value)}; }

Node list_of(std::vector<Node> resources, std::size_t total, std::size_t start) {
  const std::size_t count = resources.size();
  std::vector<Node> schema;
  schema.emplace_back(Node::Kind::String, std::string(list_schema));
  return Node(std::vector<Member>{{"schemas", Node(std::move(schema))},
                                  {"totalResults", number(total)},
                                  {"startIndex", number(start)},
                                  {"itemsPerPage", number(count)},
                                  {"Resources", Node(std::move(resources))}});
}

Error not_found(const std::string& what) { return refuse(404, "", "There is no " + what + "."); }

// Of an url: nothing where it is no key.
std::optional<std::int64_t> key_of(std::string_view text) {
  std::int32_t key = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), key);
  if (error != std::errc() || end != text.data() + text.size() || key <= 0) return std::nullopt;
  return key;
}

// Of a query (RFC 7644 3.4.2).
struct Query {
  std::string filter;
  std::size_t start = 1, count = usual_count;
  Selection selection;
};

std::vector<std::string> names_in(const std::string& value) {
  std::vector<std::string> names;
  for (const std::string_view each : text::split(value, ','))
    if (!text::trim(each).empty()) names.emplace_back(text::trim(each));
  return names;
}

// A number below the least is the least, as RFC 7644 3.4.2.4 has it.
Result<std::size_t> number_in(const std::string& name, const std::string& value, std::int64_t least) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size())
    return refuse(400, "invalidValue", name + " is a whole number.");
  return static_cast<std::size_t>(std::max(number, least));
}

Result<Query> read_query(std::string_view raw) {
  CALLISTO_TRY(const auto pairs, http::decode_query(raw));
  Query query;
  for (const auto& [name, value] : pairs) {
    if (name == "filter") query.filter = value;
    if (name == "attributes") query.selection.only = names_in(value);
    if (name == "excludedAttributes") query.selection.without = names_in(value);
    if (name == "startIndex") { CALLISTO_TRY(query.start, number_in(name, value, 1)); }
    if (name == "count") { CALLISTO_TRY(query.count, number_in(name, value, 0)); }
  }
  query.count = std::min(query.count, most_results);
  query.start = std::min(query.start, most_keys);
  return query;
}

Result<records::Record> existing(const records::Context& context, const Resource& resource, std::int64_t key) {
  CALLISTO_TRY(auto record, context.model.store.load(context.connection, *resource.entity, key));
  if (!record || records::is_deleted(*record)) return not_found(resource.name + " " + std::to_string(key));
  return *std::move(record);
}

// The page's keys, and how many there are in all.
Result<Node> found(const records::Context& context, const Mapping& mapping, const Resource& resource,
                   const std::string& root, const Query& query) {
  script::Host::Query asked;
  if (!query.filter.empty()) {
    CALLISTO_TRY(const Term term, parse_filter(query.filter));
    CALLISTO_TRY(asked, query_of(resource, term));
  }
  const auto counted = records::count_all(context, *resource.entity, asked);
  if (!counted && script::is_mistake(counted.error())) return refuse(400, "invalidFilter", counted.error().message);
  CALLISTO_TRY(const std::int64_t total, counted);
  const std::size_t end = query.start - 1 + query.count;
  std::vector<Node> page;
  if (query.count > 0 && query.start <= static_cast<std::size_t>(total)) {
    asked.top = end;
    CALLISTO_TRY(const auto keys, records::find_keys(context, *resource.entity, asked, end));
    for (std::size_t i = query.start - 1; i < keys.size(); ++i) {
      CALLISTO_TRY(const records::Record record, existing(context, resource, keys[i].front()));
      CALLISTO_TRY(const Node whole, resource_node(context, mapping, resource, record, root));
      page.push_back(selected(whole, query.selection));
    }
  }
  return list_of(std::move(page), static_cast<std::size_t>(total), query.start);
}

// A list of descriptions, or the one of that id.
Result<Node> described(std::vector<Node> all, const std::vector<std::string>& segments) {
  if (segments.size() == 1) {
    const std::size_t total = all.size();
    return list_of(std::move(all), total, 1);
  }
  for (Node& each : all)
    if (segments.size() == 2 && json::string_of(each, "id") == segments[1]) return std::move(each);
  return not_found(segments.front() + " " + segments[1]);
}

// What needs no record; nothing where the path is another one.
Result<std::optional<Node>> discovered(const Mapping& mapping, const std::vector<std::string>& segments,
                                       const std::string& root) {
  const std::string& what = segments.front();
  if (what == "ServiceProviderConfig" && segments.size() == 1) return std::optional(provider_config(root));
  if (what != "ResourceTypes" && what != "Schemas") return std::optional<Node>();
  CALLISTO_TRY(Node node,
               described(what == "Schemas" ? schemas(mapping, root) : resource_types(mapping, root), segments));
  return std::optional(std::move(node));
}

Result<records::Slots::Lease> borrow(const Desk& desk) {
  auto lease = desk.slots.borrow(FairTurns::nobody, slot_patience);
  if (!lease) return unavailable("The server is busy. Try again.", 1);
  return lease;
}

// One request for resources of a type.
class Answering {
 public:
  Answering(http::Request& request, http::Response& response, const Desk& desk, const Mapping& mapping,
            const auth::Session& session, const std::string& root)
      : request_(request), response_(response), desk_(desk), mapping_(mapping), session_(session), root_(root) {}

  Result<void> run(const Resource& resource, const std::vector<std::string>& segments, std::size_t body_bytes) {
    CALLISTO_TRY(const Query query, read_query(request_.raw_query));
    if (segments.size() == 1) return reads() ? list(resource, query) : make(resource, query, body_bytes);
    const auto key = key_of(segments[1]);
    if (!key) return not_found(resource.name + " " + text::quoted(segments[1], 100));
    if (reads()) return tell(resource, *key, query, 200);
    if (is("DELETE")) return take_away(resource, *key);
    if (!is("PUT") && !is("PATCH"))
      return method_not_allowed("A resource takes other methods.", "GET, PUT, PATCH, DELETE");
    CALLISTO_TRY(const Changes changes, wanted(resource, body_bytes));
    CALLISTO_CHECK(change(with(), resource, *key, changes, is("PUT") ? How::Replace : How::Patch));
    return tell(resource, *key, query, 200);
  }

 private:
  bool is(std::string_view method) const { return request_.method == method; }
  bool reads() const { return is("GET") || request_.head; }
  Provisioning with() const {
    return {desk_.writer, session_, mapping_, root_, std::string(request_.header("If-Match"))};
  }

  Result<Changes> wanted(const Resource& resource, std::size_t body_bytes) {
    CALLISTO_TRY(const std::string text, request_.body(body_bytes));
    const auto body = json::parse(text, body_limits);
    if (!body) return refuse(400, "invalidSyntax", body.error().message);
    return is("PATCH") ? read_patch(resource, *body) : read_whole(resource, *body);
  }

  Result<void> make(const Resource& resource, const Query& query, std::size_t body_bytes) {
    if (!is("POST")) return method_not_allowed("A list of resources takes other methods.", "GET, POST");
    CALLISTO_TRY(const Changes changes, wanted(resource, body_bytes));
    CALLISTO_TRY(const std::int64_t key, create(with(), resource, changes));
    return tell(resource, key, query, 201);
  }

  Result<void> take_away(const Resource& resource, std::int64_t key) {
    CALLISTO_CHECK(remove(with(), resource, key));
    response_.status = 204;
    return {};
  }

  Result<void> list(const Resource& resource, const Query& query) {
    CALLISTO_TRY(const auto slot, borrow(desk_));
    const records::Context context{desk_.model, session_, *slot->connection, *slot->scripts};
    CALLISTO_TRY(const Node page, found(context, mapping_, resource, root_, query));
    write(200, page, response_);
    return {};
  }

  Result<void> tell(const Resource& resource, std::int64_t key, const Query& query, int status) {
    CALLISTO_TRY(const auto slot, borrow(desk_));
    const records::Context context{desk_.model, session_, *slot->connection, *slot->scripts};
    CALLISTO_TRY(const records::Record record, existing(context, resource, key));
    CALLISTO_TRY(const Node whole, resource_node(context, mapping_, resource, record, root_));
    const std::string version = version_of(whole);
    response_.headers.emplace_back("ETag", version);
    if (status == 201) response_.headers.emplace_back("Location", json::string_of(*whole.find("meta"), "location"));
    if (reads() && request_.header("If-None-Match").find(version) != std::string_view::npos) {
      response_.status = 304;
      return {};
    }
    write(status, selected(whole, query.selection), response_);
    return {};
  }

  http::Request& request_;
  http::Response& response_;
  const Desk& desk_;
  const Mapping& mapping_;
  const auth::Session& session_;
  const std::string& root_;
};

}  // namespace

// By a person's own right, or by that of the client's role; done as the server, in their name.
Result<auth::Session> Scim::identify(const http::Request& request, const Desk& desk) const {
  auto known = auth_.authenticate(http::bearer_of(request));
  if (!known && known.error().status == 401) known.error().headers = {{"WWW-Authenticate", "Bearer"}};
  CALLISTO_TRY(const auto session, std::move(known));
  bool may = session->may(std::string(right));
  if (!session->person) {
    CALLISTO_TRY(const auto slot, borrow(desk));
    CALLISTO_TRY(may, auth::client_has_right(*slot->connection, session->client_id, right));
  }
  if (!may) return forbidden("Provisioning takes the right Administration, of the person or of the client's role.");
  auth::Session own = auth::server_session();
  own.id = session->id;
  own.person = session->person;
  own.client_id = session->client_id;
  return own;
}

Result<void> Scim::answer(http::Request& request, http::Response& response, const Desk& desk,
                          std::string_view rest) const {
  CALLISTO_TRY(const auth::Session session, identify(request, desk));
  CALLISTO_TRY(const auto segments, http::decode_path(rest));
  if (segments.empty()) return not_found("resource at this path");
  std::vector<catalog::Problem> problems;
  const auto mapping = Mapping::bind(*desk.model.program, problems);
  if (!mapping) return internal("scripts/scim.lua fitted when it was loaded, and does not now");
  const std::string root = (options_.base_url.empty() ? request.origin() : options_.base_url) + options_.path;
  CALLISTO_TRY(const auto description, discovered(*mapping, segments, root));
  if (description && request.method != "GET" && !request.head) return method_not_allowed("This is only read.", "GET");
  if (description) {
    write(200, *description, response);
    return {};
  }
  if (segments.front() == "Me" || segments.front() == "Bulk")
    return refuse(501, "", "This server does not serve " + segments.front() + ".");
  const Resource* resource = mapping->at(segments.front());
  if (!resource || segments.size() > 2) return not_found("resource type at this path");
  return Answering(request, response, desk, *mapping, session, root).run(*resource, segments, options_.body_bytes);
}

bool Scim::handle(http::Request& request, http::Response& response) {
  if (!request.raw_path.starts_with(options_.path)) return false;
  const std::string_view rest = request.raw_path.substr(options_.path.size());
  if (!rest.empty() && rest.front() != '/') return false;
  const Desk desk = desk_();
  if (desk.model.program->scim.empty()) return false;
  if (const auto done = answer(request, response, desk, rest); !done) render(as_scim(done.error()), response);
  return true;
}

}  // namespace callisto::scim
