#include "engine/http/connections/connection.h"

#include "engine/base/text.h"
#include "engine/http/framing/layout.h"

#include <algorithm>
#include <cstdint>

namespace callisto::http {
namespace {

constexpr std::size_t piece_bytes = 16 * 1024;
constexpr std::size_t read_ahead_bytes = 64 * 1024;
constexpr std::size_t most_discarded = 64 * 1024;
constexpr std::size_t most_drained = 64 * 1024 * 1024;
constexpr std::chrono::milliseconds longest_drain{5000}, quiet_drain{500};
constexpr int retry_body_after = 5;                // seconds
constexpr std::size_t most_copied = 100 * 1000;    // decision 0022
constexpr std::size_t most_waiting = 1024 * 1024;  // in memory for a client to take it

std::string_view view(const char* text) { return text ? std::string_view(text) : std::string_view(); }

// CivetWeb skips blank lines before a request but counts its bytes without them: it would read a body from the wrong
// place and parse what earlier requests left behind in the buffer. Nothing tells how much it skipped; but the buffer
// belongs to the thread, comes from malloc, and so begins at an aligned address that no request can lie below.
bool begins_its_buffer(const char* method) {
  thread_local const char* lowest = nullptr;
  if (!lowest || method < lowest) lowest = method;
  return method == lowest && reinterpret_cast<std::uintptr_t>(method) % alignof(std::max_align_t) == 0;
}

}  // namespace

ReceivedHead::ReceivedHead(const mg_request_info& info) {
  const auto count = static_cast<std::size_t>(std::clamp(info.num_headers, 0, MG_MAX_HEADERS));
  for (std::size_t i = 0; i < count; ++i) {
    headers_[i] = {view(info.http_headers[i].name), view(info.http_headers[i].value)};
  }
  head_ = {view(info.request_method), view(info.request_uri), view(info.query_string), view(info.http_version),
           std::span(headers_.data(), count)};
}

Result<Framing> ReceivedHead::check() const {
  CALLISTO_TRY(Framing framing, validate(head_));
  if (!begins_its_buffer(head_.method.data()) ||
      !is_laid_out_strictly(head_, head_.method.data() + read_buffer_bytes)) {
    return bad_format("The request line or a header is malformed.");
  }
  return framing;
}

ReceivedRequest::ReceivedRequest(mg_connection* connection, const Head& received, const Framing& framing,
                                 Worker& worker, BodyPace pace, MemoryBudget& bodies, std::string_view own_authority)
    : connection_(connection), received_(received), framing_(framing), worker_(worker), pace_(pace), share_(bodies) {
  method = received.method;
  raw_path = framing.path;
  raw_query = received.query;
  authority = framing.authority.empty() ? own_authority : framing.authority;
  remote_address = worker.client();
  secure = mg_get_request_info(connection)->is_ssl != 0;
  head = received.method == "HEAD";
}

namespace {

std::string_view first_of(const Head& head, std::string_view any_case_name) {
  for (const Header& each : head.headers)
    if (text::equals_ignoring_ascii_case(each.name, any_case_name)) return text::trim(each.value);
  return {};
}

std::size_t count_of(const Head& head, std::string_view any_case_name) {
  return static_cast<std::size_t>(std::count_if(head.headers.begin(), head.headers.end(), [&](const Header& each) {
    return text::equals_ignoring_ascii_case(each.name, any_case_name);
  }));
}

}  // namespace

RefusedRequest::RefusedRequest(const Head& received) : received_(received) {
  method = received.method;
  raw_path = received.target;
  raw_query = received.query;
}

std::string_view RefusedRequest::header(std::string_view any_case_name) const {
  return first_of(received_, any_case_name);
}

std::size_t RefusedRequest::header_count(std::string_view any_case_name) const {
  return count_of(received_, any_case_name);
}

Result<std::string> RefusedRequest::body(std::size_t) { return internal("a request that was refused has no body"); }

Result<void> RefusedRequest::read_body(std::size_t, const BodySink&) {
  return internal("a request that was refused has no body");
}

std::string_view ReceivedRequest::header(std::string_view any_case_name) const {
  return first_of(received_, any_case_name);
}

std::size_t ReceivedRequest::header_count(std::string_view any_case_name) const {
  return count_of(received_, any_case_name);
}

std::vector<std::string_view> ReceivedRequest::all_headers(std::string_view any_case_name) const {
  std::vector<std::string_view> values;
  for (const Header& each : received_.headers)
    if (text::equals_ignoring_ascii_case(each.name, any_case_name)) values.push_back(text::trim(each.value));
  return values;
}

namespace {

Error too_large(std::size_t limit) {
  return payload_too_large("The body is larger than " + std::to_string(limit) + " bytes.");
}

}  // namespace

Result<std::string> ReceivedRequest::body(std::size_t limit) {
  std::string whole;
  CALLISTO_CHECK(read_body(limit, [&](std::string_view piece) -> Result<void> {
    if (whole.empty() && !framing_.chunked) whole.reserve(framing_.content_length);
    whole += piece;
    return {};
  }));
  return whole;
}

Result<void> ReceivedRequest::read_body(std::size_t limit, const BodySink& sink) {
  if (!framing_.chunked) CALLISTO_CHECK(check_length(limit));
  CALLISTO_CHECK(hold(framing_.content_length));
  announce_reading();
  for (std::uint64_t given = 0;;) {
    if (!ended_ && bytes_.size() < piece_bytes) CALLISTO_CHECK(read_more(given));
    given += bytes_.size();
    if (given > limit) return too_large(limit);
    CALLISTO_CHECK(hold(given));
    if (!bytes_.empty()) CALLISTO_CHECK(sink(bytes_));
    bytes_.clear();
    if (ended_) return {};
  }
}

Result<void> ReceivedRequest::check_length(std::size_t limit) {
  if (framing_.content_length == 0) ended_ = true;
  if (framing_.content_length <= limit) return {};
  refused_ = true;
  return too_large(limit);
}

// Handlers keep what they read. A stated length is held before any of it comes, so that what was begun can be finished.
Result<void> ReceivedRequest::hold(std::uint64_t bytes) {
  if (share_.grow_to(bytes)) return {};
  refused_ = true;
  return unavailable("Too many large bodies are being received at this moment. Send yours again.", retry_body_after);
}

// One more piece. `before`: bytes of the body that were handed on already.
Result<void> ReceivedRequest::read_more(std::uint64_t before) {
  if (framing_.chunked) return read_chunks(bytes_.size());
  const std::uint64_t left = framing_.content_length - before - bytes_.size();
  int got = 0;
  if (!append_piece(static_cast<std::size_t>(std::min<std::uint64_t>(piece_bytes, left)), got)) {
    broken_ = true;
    return cut_short("The body is shorter than its Content-Length.");
  }
  ended_ = before + bytes_.size() == framing_.content_length;
  return {};
}

Result<void> ReceivedRequest::read_ahead() {
  if (!framing_.chunked) return {};
  return read_chunks(read_ahead_bytes);
}

bool ReceivedRequest::must_close() const {
  if (framing_.chunked || refused_ || broken_) return true;
  if (ended_ || framing_.content_length == 0) return false;
  // A client that was never told to go on may send its body or not: what follows is ambiguous.
  return framing_.expects_continue || framing_.content_length > most_discarded;
}

void ReceivedRequest::drain() {
  const bool was_asked_for = announced_ || !framing_.expects_continue;
  if (ended_ || broken_ || !was_asked_for || (framing_.content_length == 0 && !framing_.chunked)) return;
  const auto end = Clock::now() + longest_drain;
  bytes_.resize(piece_bytes);
  for (std::size_t read = 0; read < most_drained && Clock::now() < end;) {
    worker_.begin_body(std::min(end, Clock::now() + quiet_drain));
    const int got = mg_read(connection_, bytes_.data(), bytes_.size());
    worker_.end_body();
    if (got <= 0) return;
    read += static_cast<std::size_t>(got);
  }
}

// CivetWeb leaves this to its user; without it clients wait a second before they send.
void ReceivedRequest::announce_reading() {
  if (!framing_.expects_continue || announced_) return;
  announced_ = true;
  constexpr std::string_view continue_line = "HTTP/1.1 100 Continue\r\n\r\n";
  mg_write(connection_, continue_line.data(), continue_line.size());
}

// Appends up to `wanted` bytes; `got` is how many came, negative when the body is malformed.
bool ReceivedRequest::append_piece(std::size_t wanted, int& got) {
  const std::size_t before = bytes_.size();
  bytes_.resize(before + wanted);
  got = read_in_time(bytes_.data() + before, wanted);
  bytes_.resize(before + static_cast<std::size_t>(std::max(got, 0)));
  return got >= 0 && static_cast<std::size_t>(got) == wanted;
}

// mg_read waits until all has come that was asked for, as long as a byte comes now and then. Past the time that the
// client has, the watch ends the reading.
int ReceivedRequest::read_in_time(char* to, std::size_t wanted) {
  const auto earned = std::chrono::milliseconds(arrived_ * 1000 / static_cast<std::uint64_t>(pace_.bytes_per_second));
  const auto began = Clock::now();
  worker_.begin_body(began + pace_.grace + earned - waited_);
  const int got = mg_read(connection_, to, wanted);
  worker_.end_body();
  const auto took = Clock::now() - began;
  waited_ += took;
  arrived_ += static_cast<std::uint64_t>(std::max(got, 0));
  late_ = worker_.was_ended() || took >= pace_.quiet;
  return got;
}

Error ReceivedRequest::cut_short(const char* message) const { return late_ ? too_slow() : bad_format(message); }

Result<void> ReceivedRequest::read_chunks(std::size_t limit) {
  announce_reading();
  while (!ended_ && bytes_.size() <= limit) {
    int got = 0;
    if (append_piece(piece_bytes, got)) continue;
    if (got < 0) {
      broken_ = true;
      return cut_short("The chunks of the body are malformed or end early.");
    }
    ended_ = true;  // mg_read gives less than it was asked for only at the last chunk
  }
  return {};
}

namespace {

bool write_whole(mg_connection* connection, std::string_view bytes) {
  return mg_write(connection, bytes.data(), bytes.size()) == static_cast<int>(bytes.size());
}

bool write_spill(mg_connection* connection, Spill& spill) {
  std::string buffer(read_ahead_bytes, '\0');
  for (;;) {
    const std::ptrdiff_t count = spill.read(buffer.data(), buffer.size());
    if (count <= 0) return count == 0;
    if (!write_whole(connection, std::string_view(buffer).substr(0, static_cast<std::size_t>(count)))) return false;
  }
}

// Whether a client takes it slowly, nobody knows beforehand.
bool write_body(mg_connection* connection, Response& response, SpillArea& spilled) {
  const bool is_large = !response.kept && response.body.size() > most_waiting;
  auto spill = is_large ? Spill::of(response.body, spilled) : std::nullopt;
  if (!spill) return write_whole(connection, response.content());
  std::string().swap(response.body);
  response.memory.give_back();
  return write_spill(connection, *spill);
}

}  // namespace

bool write_response(mg_connection* connection, Response& response, Delivery delivery, bool without_body,
                    SpillArea& spilled) {
  thread_local std::string buffer;
  buffer.clear();
  append_head(buffer, response, delivery);
  const bool with_body = !without_body && allows_body(response.status);
  const std::string& body = response.content();
  const bool copied = with_body && body.size() <= most_copied;
  if (copied) buffer += body;
  if (!write_whole(connection, buffer)) return false;
  if (!with_body || copied) return true;
  return write_body(connection, response, spilled);
}

}  // namespace callisto::http
