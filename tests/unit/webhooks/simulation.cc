#include "tests/unit/webhooks/simulation.h"

#include <algorithm>

namespace callisto::webhooks::simulated {

namespace {

constexpr std::int64_t second = 1'000, minute = 60 * second, hour = 60 * minute;
constexpr std::int64_t longest_answer = 300;

std::string header(const Request& request, const std::string& name) {
  for (const auto& [key, value] : request.headers)
    if (key == name) return value;
  return {};
}

}  // namespace

// --- transport

// The process is killed: a request on its way may have reached its receiver or not.
SimulatedTransport::~SimulatedTransport() {
  settle();
  for (Flying& flying : flying_) {
    if (flying.settled) continue;
    Seen& seen = world_.log[flying.seen];
    seen.ended = 0;
    if (seen.well && world_.chance(50)) seen.well = false;
    flying.ends = 0;
  }
  settle();
}

void SimulatedTransport::settle() {
  for (Flying& flying : flying_) {
    if (flying.settled || flying.ends > world_.clock.steady) continue;
    flying.settled = true;
    const Seen& seen = world_.log[flying.seen];
    if (seen.entity_ref != 0) world_.in_flight.erase({seen.webhook, seen.entity_ref});
    --world_.flying[seen.webhook];
    world_.slow[life_] -= seen.slow ? 1 : 0;
  }
}

std::int64_t SimulatedTransport::next_unsettled() const {
  std::int64_t next = INT64_MAX;
  for (const Flying& flying : flying_)
    if (!flying.settled) next = std::min(next, flying.ends);
  return next;
}

std::int64_t SimulatedTransport::next_end() const {
  std::int64_t next = INT64_MAX;
  for (const Flying& flying : flying_) next = std::min(next, flying.ends);
  return next;
}

bool SimulatedTransport::is_due() const { return woken_ || next_end() <= world_.clock.steady; }

// What the receiver will answer, and when.
SimulatedTransport::Flying SimulatedTransport::answer(Seen& seen, const Request& request) {
  Flying flying;
  flying.ends = world_.clock.steady + world_.between(1, longest_answer);
  flying.response.delivery = request.delivery;
  flying.response.outcome = Outcome::Http;
  flying.response.started = world_.clock.now();
  switch (world_.receivers[seen.webhook].behaviour) {
    case Behaviour::Flaps:
      flying.response.status = world_.clock.steady / (2 * minute) % 2 == 0 ? 200 : 500;
      break;
    case Behaviour::Well:
      flying.response.status = world_.chance(50) ? 200 : 204;
      break;
    case Behaviour::Fails:
      flying.response.status = world_.chance(50) ? 500 : 302;
      break;
    case Behaviour::Hangs:
      flying.response.outcome = Outcome::TimeoutTotal;
      flying.ends = world_.clock.steady + request.timeout.count();
      break;
    case Behaviour::Gone:
      flying.response.status = 410;
      seen.final_refusal = true;
      break;
    case Behaviour::Throttles:
      flying.response.status = 429;
      flying.response.headers = {{"retry-after", std::to_string(world_.between(0, 5000))}};
      break;
    case Behaviour::Refuses:
      flying.response.outcome = Outcome::ConnectRefused;
      break;
    case Behaviour::Blocked:
      flying.response.outcome = Outcome::BlockedAddress;
      seen.final_refusal = true;
      break;
  }
  return flying;
}

void SimulatedTransport::check_room(const Request& request) const {
  const auto at_host = [&](const Flying& flying) { return host_of(flying.url) == host_of(request.url); };
  if (static_cast<std::size_t>(std::count_if(flying_.begin(), flying_.end(), at_host)) >= world_.plan.per_host)
    world_.complain("delivery " + std::to_string(request.delivery) + " left without room");
  const auto young = [&](const Flying& flying) {
    return at_host(flying) && world_.log[flying.seen].started > world_.clock.steady - Places::young;
  };
  if (static_cast<std::size_t>(std::count_if(flying_.begin(), flying_.end(), young)) >= Places::at_once)
    world_.complain("delivery " + std::to_string(request.delivery) + " fell upon its host with too many others");
}

void SimulatedTransport::start(Request request) {
  check_room(request);
  Seen seen;
  seen.delivery = request.delivery;
  seen.webhook = std::stoll(header(request, "Callisto-Webhook"));
  seen.attempt = std::stoll(header(request, "Callisto-Attempt"));
  seen.redelivery = header(request, "Callisto-Redelivery") == "true";
  seen.message_id = header(request, "webhook-id");
  seen.body = *request.body;
  seen.started = world_.clock.steady;
  seen.life = life_;
  seen.entity_ref = world_.told[seen.delivery].entity_ref;
  world_.note_start(seen, request);

  Flying flying = answer(seen, request);
  flying.ends = std::min(flying.ends, world_.clock.steady + request.timeout.count());
  seen.waited_for = !flying.response.headers.empty();
  seen.well = flying.response.outcome == Outcome::Http && flying.response.status / 100 == 2;
  seen.ended = flying.ends;
  flying.response.duration = std::chrono::milliseconds(flying.ends - seen.started);
  flying.seen = world_.log.size();
  flying.url = request.url;
  world_.log.push_back(std::move(seen));
  flying_.push_back(std::move(flying));
}

std::vector<Response> SimulatedTransport::wait(std::chrono::milliseconds most) {
  const bool woken = std::exchange(woken_, false);
  if (world_.plan.nodes == 1 || stopping) {
    std::int64_t until = std::min(world_.clock.steady + most.count(), next_end());
    if (!stopping) until = std::min(until, world_.next_event());
    if (!woken) world_.clock.advance(std::max<std::int64_t>(0, until - world_.clock.steady));
  }
  settle();
  std::vector<Response> ended;
  std::erase_if(flying_, [&](Flying& flying) {
    if (!flying.settled) return false;
    ended.push_back(std::move(flying.response));
    return true;
  });
  patience = most.count();
  was_quiet = !woken && ended.empty();
  return ended;
}

Result<void> FailingDatabase::write(const storage::WriteFunction& function) {
  if (!world_.plan.database_fails || !world_.chance(15)) return database_.write(function);
  if (world_.chance(50)) return unavailable("The database is busy.", 1);
  if (world_.plan.nodes > 1 && world_.chance(40)) {  // the connection is lost while it commits
    CALLISTO_CHECK(database_.write(function));
    return unavailable("The database went away.", 1);
  }
  return database_.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_CHECK(function(connection));
    return unavailable("The database is busy.", 1);
  });
}

// --- what happens

World::World(QueueDesk& desk, std::uint64_t seed, std::size_t nodes)
    : engine(seed), desk_(desk), random_(seed), database_(desk.database(), *this) {
  desk_.clear();
  plan.nodes = nodes;
  if (nodes > 1) plan.survey_pause = chance(10) ? 500 : 10'000;
  for (std::size_t i = 0; i < nodes; ++i) {
    nodes_.push_back(std::make_unique<Node>(clock));
    if (nodes > 1) nodes_.back()->clock.skew = between(-10 * minute, 10 * minute);
  }
  plan.slots = chance(30) ? 8 : 256;
  plan.per_webhook = chance(30) ? 1 : 4;
  plan.database_fails = chance(20);
  plan.crowd = chance(5);
  if (plan.crowd) plan.slots = 256;
  else if (chance(25)) plan.per_host = static_cast<std::size_t>(between(1, 5));
  const auto count = plan.crowd ? between(21, 40) : between(2, 4);
  for (std::int64_t i = 0; i < count; ++i) {
    const bool ordered = chance(30);
    const std::int64_t ref = desk_.add_webhook(ordered, "secret-0");
    Receiver& receiver = receivers[ref];
    receiver.behaviour = chance(plan.crowd ? 10 : 40) ? Behaviour::Well
                         : plan.crowd                 ? Behaviour::Hangs
                                                      : static_cast<Behaviour>(between(1, 7));
    receiver.always_well = receiver.behaviour == Behaviour::Well;
    receiver.ordered = ordered;
    receiver.url = "http://receiver.example/";
    receiver.secret = "secret-0";
    webhooks_.push_back(ref);
  }
  plan_events();
}

void World::add_events(int count, const std::function<void()>& happen) {
  // Most things happen close together, where they can meet.
  for (int i = 0; i < count; ++i)
    events_.emplace(clock.steady + (chance(60) ? between(0, 30 * second) : between(0, 90 * minute)), happen);
}

void World::plan_events() {
  add_events(static_cast<int>(between(4, 14)), [this] { enqueue_some(); });
  if (plan.nodes == 1) {
    if (chance(50)) add_events(static_cast<int>(between(1, 3)), [this] { kill(); });
  } else {
    if (chance(40)) add_events(static_cast<int>(between(1, 3)), [this] { kill_one(); });
    if (chance(60)) add_events(static_cast<int>(between(1, 4)), [this] { pause_one(); });
    if (chance(40)) add_events(static_cast<int>(between(1, 3)), [this] { stop_one(); });
  }
  if (chance(40)) add_events(static_cast<int>(between(1, 4)), [this] { edit_webhook(); });
  if (chance(40)) add_events(static_cast<int>(between(1, 3)), [this] { set_clock(); });
  if (chance(60)) add_events(static_cast<int>(between(1, 4)), [this] { change_behaviour(); });
  if (chance(30)) add_events(static_cast<int>(between(1, 3)), [this] { redeliver_one(); });
  if (chance(15)) add_events(1, [this] { redeliver_many(); });
}

void World::complain(const std::string& what) {
  if (complaints_.size() < 10) complaints_.push_back(what);
}

void World::begin_life(Node& node) {
  node.life = ++lives_;
  node.due = node.starts_at = node.paused_until = 0;
  node.transport = std::make_unique<SimulatedTransport>(*this, node.life);
  DispatcherOptions options;
  options.survey_pause = std::chrono::milliseconds(plan.survey_pause);
  if (plan.nodes > 1)
    options.common_time = [this](storage::Connection&) { return Result<DateTime>(DateTime{clock.wall}); };
  options.slots = plan.slots;
  options.per_host = plan.per_host;
  options.per_webhook = plan.per_webhook;
  options.version = "test";
  options.sign = [](const SigningInput& input) -> Result<Headers> {
    return Headers{{"webhook-signature", std::string(input.secret)}};
  };
  node.dispatcher =
      std::make_unique<Dispatcher>(options, database_, *node.transport, node.clock, random_, test_sealer());
  while (!node.dispatcher->start()) {}
}

void World::kill() {
  if (unnoticed_ != 0) clock_set_while_down_ = true;  // as good as
  nodes_[0]->dispatcher.reset();
  nodes_[0]->transport.reset();
  const std::int64_t down = chance(70) ? between(1, 10 * second) : between(1, 2 * hour);
  outages_.emplace_back(clock.steady, clock.steady + down);
  clock.advance(down);
  if (chance(15)) {
    clock.wall += between(-6 * hour, 6 * hour);
    clock_set_while_down_ = true;
  }
  begin_life(*nodes_[0]);
}

World::Node& World::any_node() {
  std::vector<Node*> up;
  for (const auto& node : nodes_)
    if (node->dispatcher && node->paused_until <= clock.steady) up.push_back(node.get());
  if (!up.empty()) return *up[static_cast<std::size_t>(between(0, std::ssize(up) - 1))];
  for (const auto& node : nodes_)  // somebody has to write what happens
    if (node->dispatcher) return *node;
  begin_life(*nodes_[0]);
  return *nodes_[0];
}

// Until then its webhooks may have nobody.
void World::note_trouble(const Node& node, std::int64_t until) {
  troubles_[node.life].push_back(clock.steady);
  outages_.emplace_back(clock.steady, std::max(until, clock.steady + 31 * second + 2 * plan.survey_pause));
}

void World::kill_one() {
  Node& node = any_node();
  node.starts_at = clock.steady + (chance(70) ? between(1, 40 * second) : between(1, hour));
  note_trouble(node, node.starts_at);
  node.dispatcher.reset();
  node.transport.reset();
}

void World::pause_one() {
  Node& node = any_node();
  node.paused_until = clock.steady + (chance(50) ? between(1, 40 * second) : between(20 * second, 10 * minute));
  note_trouble(node, node.paused_until);
}

void World::stop_one() {
  Node& node = any_node();
  node.starts_at = clock.steady + between(1, 10 * minute);
  note_trouble(node, node.starts_at);
  node.transport->stopping = true;
  node.dispatcher->stop();
  node.dispatcher->run();
  node.dispatcher.reset();
  troubles_[node.life].push_back(clock.steady);
  node.transport.reset();
}

void World::set_clock() {
  const std::int64_t step = chance(50) ? between(-2 * hour, 2 * hour) : between(-10 * second, 10 * second);
  if (plan.nodes > 1) {
    any_node().clock.skew += step;
    return;
  }
  clock.wall += step;
  unnoticed_ += step;
}

void World::enqueue_some() {
  std::set<std::int64_t> touched;
  const bool flood = chance(4);
  const auto count = flood ? between(40, 90) : chance(15) ? between(5, 15) : between(1, 4);
  const auto records = flood && chance(70) ? 100 : chance(50) ? 3 : 12;
  const bool woken = chance(92);
  const auto all = std::ssize(webhooks_);
  for (std::int64_t i = 0; i < (plan.crowd ? std::min(count, std::int64_t{2}) * all : count); ++i) {
    const std::int64_t webhook = webhooks_[static_cast<std::size_t>(plan.crowd ? i % all : between(0, all - 1))];
    if (receivers[webhook].deleted || !receivers[webhook].active) continue;  // nobody would enqueue
    const std::int64_t entity_ref = chance(5) ? 0 : between(1, records);
    const std::int64_t ref = desk_.add_delivery(webhook, entity_ref, clock.now());
    touched.insert(webhook);
    told[ref] = {webhook, entity_ref, clock.steady, woken, false, {}, {}};
  }
  note_new_deliveries();
  if (woken) any_node().dispatcher->wake({touched.begin(), touched.end()});
  if (chance(4)) events_.emplace(clock.steady + between(0, longest_answer), [this] { edit_webhook(); });
}

void World::redeliver_one() {
  if (told.empty()) return;
  auto at = told.begin();
  std::advance(at, between(0, std::ssize(told) - 1));
  const std::int64_t of = at->first;
  if (receivers[at->second.webhook].deleted || !ended_.contains(of)) return;
  NewDelivery again{
      at->second.webhook, at->second.message_id, "Forwarded", "Call", "incident", at->second.entity_ref, 0, 0, of};
  if (at->second.entity_ref == 0) again.entity_ref.reset();
  again.body = desk_.number(Sql("SELECT \"BodyRef\" FROM \"webhook_delivery\" WHERE \"Ref\" = ?1"), {Value(of)});
  desk_.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_CHECK(enqueue(connection, again, clock.now(), random_));
    return {};
  });
  note_new_deliveries();
  any_node().dispatcher->wake({again.webhook});
}

void World::redeliver_many() {
  const std::int64_t webhook = webhooks_.front();
  if (receivers[webhook].deleted) return;
  desk_.redeliver_failed(webhook, {0}, {INT64_MAX}, clock.now());
  note_new_deliveries();
  any_node().dispatcher->wake({webhook});
}

void World::note_new_deliveries() {
  const auto row = must(desk_.reader().query(
      Sql("SELECT d.\"Ref\", d.\"Webhook\", d.\"EntityRef\", d.\"MessageId\", d.\"Redelivery\", b.body "
          "FROM \"webhook_delivery\" d JOIN webhook_body b ON b.id = d.\"BodyRef\" ORDER BY d.\"Ref\" DESC"),
      {}));
  while (must(row->step())) {
    Told& one = told[row->integer(0)];
    if (!one.message_id.empty()) break;
    if (one.at == 0) one.woken = true;
    one.at = clock.steady;
    one.webhook = row->integer(1);
    one.entity_ref = row->integer(2);
    one.message_id = row->text(3);
    one.redelivery = row->integer(4) != 0;
    one.body = row->text(5);
  }
}

void World::edit_webhook() {
  const std::int64_t ref = webhooks_[static_cast<std::size_t>(between(0, std::ssize(webhooks_) - 1))];
  Receiver& receiver = receivers[ref];
  if (receiver.deleted) return;
  receiver.ever_edited = true;
  receiver.always_well = false;
  switch (between(0, 4)) {
    case 0:
      receiver.active = !receiver.active;
      desk_.set_webhook(ref, receiver.active ? Sql("\"Active\" = 1") : Sql("\"Active\" = 0"));
      break;
    case 1:
      receiver.deleted = true;
      desk_.set_webhook(ref, Sql("\"IsDeleted\" = 1"));
      break;
    case 2:
      receiver.url = "http://elsewhere.example/";
      desk_.set_webhook(ref, Sql("\"PayloadUrl\" = 'http://elsewhere.example/'"));
      break;
    case 3:
      receiver.ordered = !receiver.ordered;
      receiver.ever_reordered = true;
      desk_.set_webhook(ref, receiver.ordered ? Sql("\"Ordered\" = 1") : Sql("\"Ordered\" = 0"));
      break;
    default: {
      receiver.secret = "secret-1";
      const std::string secret = sealed(receiver.secret);
      desk_.write([&](storage::Connection& connection) -> Result<void> {
        CALLISTO_CHECK(connection.execute(Sql("UPDATE \"webhook\" SET \"Secret\" = ?2 WHERE \"Ref\" = ?1"),
                                          {Value(ref), Value(secret)}));
        return {};
      });
    }
  }
  receiver.edited_at = clock.steady;
  ++receiver.edits;
  desk_.set_webhook(ref, Sql("\"RecordVersion\" = \"RecordVersion\" + 1"));
  any_node().dispatcher->changed({ref});
}

void World::change_behaviour() {
  const std::int64_t ref = webhooks_[static_cast<std::size_t>(between(0, std::ssize(webhooks_) - 1))];
  receivers[ref].behaviour = chance(60) ? Behaviour::Well : static_cast<Behaviour>(between(1, 7));
  receivers[ref].always_well = false;
}

void World::perform_events() {
  while (!events_.empty() && events_.begin()->first <= clock.steady) {
    const auto event = events_.extract(events_.begin());
    event.mapped()();
  }
}

void World::poll_statuses() {
  const std::uint64_t commits = desk_.reader().commits().value().number;
  if (std::exchange(polled_at_, commits) == commits) return;
  const auto row = must(desk_.reader().query(Sql("SELECT \"Ref\", \"Status\" FROM \"webhook_delivery\""), {}));
  while (must(row->step())) {
    const char status = row->text(1).front();
    const std::int64_t ref = row->integer(0);
    if (const auto known = ended_.find(ref); known != ended_.end()) {
      if (known->second.first != status)
        complain("delivery " + std::to_string(ref) + " had ended with " + known->second.first + " and became " +
                 status);
    } else if (status != 'P' && status != 'R') {
      ended_[ref] = {status, clock.steady};
    }
  }
}

bool World::finished() const { return events_.empty() && ended_.size() == told.size(); }

void World::run() {
  const std::int64_t begun = clock.steady;
  const std::int64_t most_turns = plan.nodes == 1 ? 40'000 : 1'000'000;  // each looks about every 10 s or half second
  for (const auto& node : nodes_) begin_life(*node);
  while (!finished() && complaints_.empty()) {
    if (plan.nodes == 1) run_alone();
    else run_together();
    perform_events();
    poll_statuses();
    if (++turns_ > most_turns) complain("it spins: " + std::to_string(turns_) + " turns");
    if (clock.steady - begun > 24 * hour) complain("not all deliveries ended within a day");
  }
  for (const auto& node : nodes_) {
    const bool may_fly = plan.nodes > 1;  // what came too late may still be on its way
    if (complaints_.empty() && !may_fly && node->transport->in_flight() != 0)
      complain("something is in flight that has ended");
    node->dispatcher.reset();
    node->transport.reset();
  }
  if (!complaints_.empty()) return;
  check_ends();
  check_attempts();
  check_order();
  check_delays();
  check_webhook_statuses();
}

void World::run_alone() {
  nodes_[0]->dispatcher->turn();
  // A step of the clock that is not over 5 s is none, and moves what is planned by as much.
  if (std::abs(unnoticed_) <= 5 * second) small_steps_ += std::abs(unnoticed_);
  unnoticed_ = 0;
}

void World::run_together() {
  bool any = false;
  for (const auto& node : nodes_) {
    if (!node->dispatcher && node->starts_at <= clock.steady) begin_life(*node);
    if (node->dispatcher && node->paused_until <= clock.steady) any = turn(*node) || any;
  }
  if (!any) pass_time();
}

bool World::turn(Node& node) {
  if (node.due > clock.steady && !node.transport->is_due()) return false;
  node.dispatcher->turn();
  const bool idle = node.transport->was_quiet && node.transport->patience > 0;
  node.due = idle ? clock.steady + node.transport->patience : clock.steady;
  return true;
}

void World::pass_time() {
  std::int64_t next = next_event();
  for (const auto& node : nodes_) {
    if (!node->dispatcher) next = std::min(next, node->starts_at);
    else if (node->paused_until > clock.steady) next = std::min(next, node->paused_until);
    else next = std::min({next, node->due, node->transport->next_end()});
    // A request of one that stands still ends all the same.
    if (node->transport && node->transport->next_unsettled() > clock.steady)
      next = std::min(next, node->transport->next_unsettled());
  }
  clock.advance(std::max<std::int64_t>(1, next - clock.steady));
  for (const auto& node : nodes_)
    if (node->transport) node->transport->settle();
}

// --- what must not be

// Seen as a request leaves.
void World::note_start(Seen& seen, const Request& request) {
  const std::string who = "delivery " + std::to_string(seen.delivery);
  if (!told.contains(seen.delivery) || told[seen.delivery].message_id.empty()) return complain(who + " was never made");
  const Told& one = told[seen.delivery];
  const Receiver& receiver = receivers[seen.webhook];
  if (seen.entity_ref != 0 && !in_flight.insert({seen.webhook, seen.entity_ref}).second)
    complain(who + " left while another of its record was in flight");
  if (seen.message_id != one.message_id || seen.body != one.body) complain(who + " has another id or body");
  // Another node hears of an edit at its next survey.
  const bool may_not_know = plan.nodes > 1 && clock.steady - receiver.edited_at <= plan.survey_pause + 500;
  if (!may_not_know && request.url != receiver.url) complain(who + " went to " + request.url);
  if (!may_not_know && header(request, "webhook-signature") != receiver.secret)
    complain(who + " is signed with another secret");
  if (receiver.deleted && !may_not_know) complain(who + " left although its webhook is deleted");
  if (!receiver.active && !one.redelivery && !may_not_know) complain(who + " left although its webhook is not active");
  if (seen.redelivery != one.redelivery) complain(who + " has the wrong Callisto-Redelivery");
  if (ended_.contains(seen.delivery)) complain(who + " left although it had ended");
  const std::string status = desk_.webhook_status(seen.webhook);
  const bool failing = status == "R" || status == "F";
  const std::size_t most = failing ? 1 : plan.per_webhook;
  if (static_cast<std::size_t>(++flying[seen.webhook]) > most) complain(who + " left beside too many of its webhook");
  seen.slow = failing || seen.attempt > 1;
  slow[seen.life] += seen.slow ? 1 : 0;
  if (seen.slow && slow[seen.life] * 10 > static_cast<std::int64_t>(plan.slots) * 3 + 5)
    complain(who + " took a slot that is kept for first attempts");
}

void World::check_ends() {
  std::map<std::int64_t, std::vector<const Seen*>> of;
  for (const Seen& seen : log) of[seen.delivery].push_back(&seen);
  for (const auto& [ref, end] : ended_) {
    const std::string who = "delivery " + std::to_string(ref);
    const auto& attempts = of[ref];
    const Receiver& receiver = receivers[told[ref].webhook];
    const bool got = std::any_of(attempts.begin(), attempts.end(), [](const Seen* seen) { return seen->well; });
    if (end.first == 'S' && !got) complain(who + " succeeded, and nobody got it");
    if (end.first == 'C' && !receiver.ever_edited) complain(who + " is cancelled, and its webhook was never touched");
    if (end.first != 'F') continue;
    if (attempts.empty()) {
      complain(who + " failed without an attempt");
      continue;
    }
    const Seen* first = attempts.front();
    for (const Seen* seen : attempts)
      if (seen->attempt == 1) first = seen;
    const Seen* last = attempts.back();
    if (clock_set_while_down_) continue;
    for (const auto& [from, until] : outages_)
      if (plan.nodes == 1 && !last->final_refusal && last->attempt < 10 && end.second >= until &&
          last->started < from && from < first->started + hour - 40 * second && until > first->started + hour)
        complain(who + " was not tried once more after an hour that passed while nothing ran");
    const std::int64_t end_of_hour = first->started + 3'570 * second - small_steps_;
    if (!last->final_refusal && last->attempt < 10 && end.second < end_of_hour)
      complain(who + " was given up after " + std::to_string(last->attempt) + " attempts and " +
               std::to_string((end.second - first->started) / second) + " s");
  }
}

void World::check_attempts() {
  std::map<std::int64_t, std::vector<const Seen*>> of;
  for (const Seen& seen : log) of[seen.delivery].push_back(&seen);
  for (const auto& [ref, attempts] : of) {
    const std::string who = "delivery " + std::to_string(ref);
    for (std::size_t i = 1; i < attempts.size(); ++i) {
      const Seen& before = *attempts[i - 1];
      const Seen& now = *attempts[i];
      // Beside other nodes a delivery may go from hand to hand; it is the same as one life but where one had trouble.
      const bool same_life =
          plan.nodes == 1 ? before.life == now.life : !had_trouble(before.life, before.started, now.started);
      handovers += before.life == now.life ? 0 : 1;
      if (before.well && same_life) complain(who + " was sent again after a success");
      if (before.final_refusal && same_life) complain(who + " was sent again after a 410");
      const std::int64_t expected = before.attempt + 1;
      if (now.attempt != expected && (same_life || now.attempt != before.attempt))
        complain(who + " has attempt " + std::to_string(now.attempt) + " after " + std::to_string(before.attempt));
      const bool at_the_end = now.started >= attempts.front()->started + hour - 40 * second;
      if (same_life && !at_the_end && now.started < before.ended + 4 * second - small_steps_)
        complain(who + " was tried again within 4 s");
    }
    if (attempts.back()->attempt > 10) complain(who + " was tried more than ten times");
    check_hour(ref, attempts);
  }
}

void World::check_hour(std::int64_t delivery, const std::vector<const Seen*>& attempts) {
  if (clock_set_while_down_) return;
  const Seen* first = attempts.front();
  for (const Seen* seen : attempts)
    if (seen->attempt == 1) first = seen;
  const std::int64_t end = first->started + hour + small_steps_;
  std::map<int, int> late;
  for (const Seen* seen : attempts) {
    if (seen->started <= end) {
      if (seen->ended > end + second)
        complain("delivery " + std::to_string(delivery) + " was still in flight when its hour was over");
      continue;
    }
    // Only what could not be tried while nothing ran, and once. What waits while another of its webhook hangs is given
    // up with the claim that follows.
    const bool down = std::any_of(outages_.begin(), outages_.end(), [&](const auto& outage) {
      return outage.first <= end + 15 * second && outage.second >= first->started + hour - small_steps_;
    });
    if (!down || ++late[seen->life] > 1)
      complain("delivery " + std::to_string(delivery) + " was tried " +
               std::to_string((seen->started - first->started) / second) + " s after its first attempt");
  }
}

void World::check_order() {
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> last_first, last_any;
  std::set<std::int64_t> begun;
  for (const Seen& seen : log) {
    if (seen.entity_ref == 0) continue;
    const Receiver& receiver = receivers[seen.webhook];
    const auto record = std::pair(seen.webhook, seen.entity_ref);
    if (begun.insert(seen.delivery).second) {
      if (seen.delivery < last_first[record])
        complain("delivery " + std::to_string(seen.delivery) + " was first tried after a later one of its record");
      last_first[record] = seen.delivery;
    }
    if (receiver.ordered && !receiver.ever_reordered) {
      if (seen.delivery < last_any[record])
        complain("delivery " + std::to_string(seen.delivery) + " of an ordered webhook was overtaken");
      last_any[record] = seen.delivery;
    }
  }
}

// Receivers that answer wait for nobody but themselves.
void World::check_delays() {
  // Otherwise those that are found dead can take all slots at first, or all that the one host has room for.
  if (plan.database_fails || plan.slots < 16 || plan.per_host < 16) return;
  std::map<std::int64_t, std::int64_t> count;
  for (const auto& [ref, one] : told) ++count[one.webhook];
  std::set<std::int64_t> begun;
  for (const Seen& seen : log) {
    if (!begun.insert(seen.delivery).second || !receivers[seen.webhook].always_well) continue;
    const Told& one = told[seen.delivery];
    const bool down = std::any_of(outages_.begin(), outages_.end(), [&](const auto& outage) {
      return outage.first <= seen.started && outage.second >= one.at - 30 * second;
    });
    const std::int64_t most = count[seen.webhook] * longest_answer + (one.woken ? 0 : 31 * second) + 250 +
                              (plan.nodes > 1 ? 2 * plan.survey_pause : 0);
    if (!down && seen.started - one.at > most)
      complain("delivery " + std::to_string(seen.delivery) + " to a receiver that is well waited " +
               std::to_string(seen.started - one.at) + " ms");
  }
}

// What the attempts, in the order in which they were recorded, say of their webhook.
void World::check_webhook_statuses() {
  std::map<std::int64_t, char> expected;
  std::map<std::int64_t, std::int64_t> attempts;
  std::set<std::int64_t> unclear;
  const auto count =
      must(desk_.reader().query(Sql("SELECT delivery, MAX(attempt) FROM webhook_attempt GROUP BY delivery"), {}));
  while (must(count->step())) attempts[count->integer(0)] = count->integer(1);
  const auto row = must(desk_.reader().query(
      Sql("SELECT delivery, attempt, response_code, outcome FROM webhook_attempt ORDER BY rowid"), {}));
  while (must(row->step())) {
    const std::int64_t delivery = row->integer(0), webhook = told[delivery].webhook, number = row->integer(1);
    const bool last = attempts[delivery] == number;
    const bool certain = number == 10 || row->integer(2) == 410 || row->text(3) == "blocked_address";
    char& status = expected.try_emplace(webhook, 'P').first->second;
    if (row->integer(2) / 100 == 2) {
      status = 'S';
    } else if (last && (ended_[delivery].first == 'C' || !certain)) {
      unclear.insert(webhook);
    } else if (last) {
      status = 'F';
    } else if (status != 'F') {
      status = 'R';
    }
  }
  for (const std::int64_t webhook : webhooks_) {
    if (unclear.contains(webhook)) continue;
    const char status = desk_.webhook_status(webhook).front();
    if (status != expected.try_emplace(webhook, 'P').first->second)
      complain("webhook " + std::to_string(webhook) + " has status " + status + " instead of " + expected[webhook]);
  }
  for (const auto& [ref, receiver] : receivers)
    if (desk_.number(Sql("SELECT \"RecordVersion\" FROM \"webhook\" WHERE \"Ref\" = ?1"), {Value(ref)}) !=
        1 + receiver.edits)
      complain("a webhook's RecordVersion moved");
}

bool World::had_trouble(int life, std::int64_t from, std::int64_t until) const {
  const auto found = troubles_.find(life);
  return found != troubles_.end() && std::any_of(found->second.begin(), found->second.end(),
                                                 [&](std::int64_t at) { return at >= from && at <= until; });
}

}  // namespace callisto::webhooks::simulated
