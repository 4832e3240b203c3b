// One request as CivetWeb delivers it: its parsed head, its body, and the bytes of the answer. Lives on the worker's
// stack during one request; one thread. CivetWeb is included here, in request_server.cc, request_target.cc and in
// server.cc only.
#pragma once

#include "engine/base/memory_budget.h"
#include "engine/http/connections/connection_watch.h"
#include "engine/http/framing/response_text.h"
#include "engine/http/framing/validator.h"
#include "engine/http/message.h"
#include "engine/http/spill.h"

#include <civetweb.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace callisto::http {

// What a head may fill. Far more than the longest url and the longest headers: beyond it CivetWeb tells nothing of a
// request, so which of them is too long could not be said.
inline constexpr std::size_t read_buffer_bytes = 128 * 1024;

// The head in pieces, checked by validate() and is_laid_out_strictly().
class ReceivedHead {
 public:
  explicit ReceivedHead(const mg_request_info& info);
  ReceivedHead(const ReceivedHead&) = delete;
  ReceivedHead& operator=(const ReceivedHead&) = delete;

  const Head& head() const { return head_; }
  Result<Framing> check() const;

 private:
  std::array<Header, MG_MAX_HEADERS> headers_;
  Head head_;
};

// A request that was refused for its head: what stands there, as it came, and no body.
class RefusedRequest final : public Request {
 public:
  explicit RefusedRequest(const Head& received);
  std::string_view header(std::string_view any_case_name) const override;
  std::size_t header_count(std::string_view any_case_name) const override;
  Result<std::string> body(std::size_t limit) override;
  Result<void> read_body(std::size_t limit, const BodySink& sink) override;

 private:
  const Head& received_;
};

// How slowly a body may come: as in ServerOptions.
struct BodyPace {
  std::chrono::milliseconds quiet;  // CivetWeb's: reading ends after so long without a byte
  std::chrono::milliseconds grace;
  int bytes_per_second;
};

class ReceivedRequest final : public Request {
 public:
  ReceivedRequest(mg_connection* connection, const Head& received, const Framing& framing, Worker& worker,
                  BodyPace pace, MemoryBudget& bodies, std::string_view own_authority);

  std::string_view header(std::string_view any_case_name) const override;
  std::size_t header_count(std::string_view any_case_name) const override;
  std::vector<std::string_view> all_headers(std::string_view any_case_name) const override;
  Result<std::string> body(std::size_t limit) override;
  Result<void> read_body(std::size_t limit, const BodySink& sink) override;

  // Reads the beginning of a chunked body, so that a handler that wants none never answers 200 to broken chunks.
  Result<void> read_ahead();
  // The handler is done with the body; the answer may take long to be sent.
  void give_back_memory() { share_.give_back(); }
  // Nothing can be said of where a next request begins, or too much would have to be read to get there.
  bool must_close() const;
  // After an answer that closes: reads what still comes of the body, for a while, and forgets it. Else the client's
  // system may throw the answer away with the connection (RFC 9112 section 9.6).
  void drain();

 private:
  Result<void> read_chunks(std::size_t limit);
  Result<void> check_length(std::size_t limit);
  Result<void> hold(std::uint64_t bytes);
  Result<void> read_more(std::uint64_t before);
  bool append_piece(std::size_t wanted, int& got);
  int read_in_time(char* to, std::size_t wanted);
  Error cut_short(const char* message) const;
  void announce_reading();

  mg_connection* connection_;
  const Head& received_;
  Framing framing_;
  Worker& worker_;
  const BodyPace pace_;
  MemoryBudget::Share share_;
  Clock::duration waited_{};  // for the client, inside mg_read; what a handler does meanwhile is not its fault
  std::uint64_t arrived_ = 0;
  bool late_ = false;
  std::string bytes_;     // of the body, so far
  bool ended_ = false;    // the body was read to its end
  bool refused_ = false;  // for its length, or for want of memory
  bool broken_ = false;   // the client sends no more, or nothing that could be read
  bool announced_ = false;
};

// Headers and body in one write (in two where copying the body would cost more); what is larger than 1 MiB waits for
// the client in a file. False when the client has gone.
bool write_response(mg_connection* connection, Response& response, Delivery delivery, bool without_body,
                    SpillArea& spilled);

}  // namespace callisto::http
