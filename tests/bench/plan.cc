// bench_plan ENTITY?QUERY: what it costs to understand a search, as JSON. "plan": parse, bind and emit of the query
// alone; "uncached": all that happens before the database is asked when the query is new (the url decoded, the plan
// made, the row writer compiled); "cached": the same call for a query seen before. Microseconds of CPU of this thread,
// medians.
#include "engine/api/requests/compile.h"
#include "tests/bench/desk.h"
#include "tests/bench/median.h"

namespace callisto::bench {
namespace {

class SearchRequest final : public http::Request {
 public:
  explicit SearchRequest(std::string_view query) {
    method = "GET";
    raw_query = query;
  }
  std::string_view header(std::string_view) const override { return {}; }
  std::size_t header_count(std::string_view) const override { return 0; }
  Result<std::string> body(std::size_t) override { return std::string(); }
  Result<void> read_body(std::size_t, const http::BodySink&) override { return {}; }
};

// The server's way from a url to a query ready to run, for one session of a desk.
class Compiler {
 public:
  Compiler(Desk::Caches caches, const QueryText& text) : desk_(caches), request_(text.query) {
    slot_.scripts = desk_.take_scripts();
    session_.partitions = {1};
    route_.entity = &desk_.entity(text.entity);
  }

  void compile() {
    const api::Call call{.request = request_,
                         .response = response_,
                         .options = options_,
                         .served = served_,
                         .session = session_,
                         .route = route_};
    must(api::compiled(call, *route_.entity, api::QueryKind::Search, nullptr, slot_));
  }

 private:
  std::unique_ptr<script::State> new_scripts() {
    return must(script::State::create(desk_.model().program, script::Budget{}, clock_, random_));
  }

  Desk desk_;
  SystemClock clock_;
  SystemRandom random_;
  const api::Options options_;
  // A Served has one, and nothing is written here.
  const std::unique_ptr<storage::Database> database_ = must(storage::Database::open({.url = "sqlite::memory:"}));
  records::Writer writer_{desk_.model(), *database_,
                          new_scripts(), clock_,
                          random_,       [](const records::Context&) { return std::unique_ptr<events::Sink>(); }};
  api::Served served_{desk_.shared_model(), options_, writer_};
  SearchRequest request_;
  http::Response response_;
  records::Slot slot_;
  auth::Session session_;
  api::Route route_;
};

int run(const std::string& text) {
  const QueryText query = query_text(text);
  const Desk desk;
  const catalog::Entity& entity = desk.entity(query.entity);
  const query::Options options = options_of(query.query);
  const query::Scope scope{.partitions = 1};
  const double plan = median_us(20, [&] {
    const auto bound = desk.bind_search(entity, options);
    if (query::emit_rows(*bound, scope, query::Dialect::Sqlite).sql.empty()) fail("no SQL");
  });
  Compiler forgetful(Desk::Caches::Off, query), remembering(Desk::Caches::Used, query);
  const double uncached = median_us(20, [&] { forgetful.compile(); });
  const double cached = median_us(1000, [&] { remembering.compile(); });
  std::printf("{\"plan_us\": %.2f, \"uncached_us\": %.2f, \"cached_us\": %.3f}\n", plan, uncached, cached);
  return 0;
}

}  // namespace
}  // namespace callisto::bench

int main(int count, char** arguments) {
  if (count != 2) callisto::bench::fail("usage: bench_plan 'ENTITY?QUERY'");
  return callisto::bench::run(arguments[1]);
}
