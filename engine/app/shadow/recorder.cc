#include "engine/app/shadow/recorder.h"

#include "engine/app/serving/reload.h"
#include "engine/base/log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <span>
#include <system_error>

namespace callisto::app {

namespace {

constexpr std::size_t most_waiting = std::size_t{1} << 20;
constexpr std::size_t longest_body = std::size_t{64} * 1024;
constexpr std::chrono::seconds patience{2};  // of the last lines, with a disk that stands still

// What an answer depends on; no other header is kept, above all no token. Without If-None-Match a shadow run sees whole
// answers.
constexpr std::string_view of_reads[] = {"Accept"}, of_writes[] = {"If-Match", "Idempotency-Key"};

// The last segment of a url, where it is a number.
std::optional<std::int64_t> key_in(std::string_view url) {
  const std::string_view last = url.substr(url.rfind('/') + 1);
  std::int64_t key = 0;
  const auto [end, failed] = std::from_chars(last.data(), last.data() + last.size(), key);
  return failed == std::errc() && end == last.data() + last.size() ? std::optional(key) : std::nullopt;
}

Secrets secrets_of(const catalog::Catalog& catalog) {
  Secrets secrets;
  for (const char* each : {"access_token", "client_secret", "password", "refresh_token"}) secrets.add(each);
  for (const auto& entity : catalog.entities()) {
    for (const catalog::Property* property : entity->properties)
      if (property->sealed) secrets.add(property->name);
    for (const catalog::Action* action : entity->actions)
      for (const catalog::Parameter& parameter : action->parameters)
        if (parameter.secret != catalog::Parameter::Secret::No) secrets.add(parameter.property->name);
  }
  return secrets;
}

struct OpenFile {
  explicit OpenFile(int the_descriptor) : descriptor(the_descriptor) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { close(descriptor); }
  const int descriptor;
};

}  // namespace

struct Recorder::Running {
  Running(std::shared_ptr<const OpenFile> file, const RecordingOrder& the_order, const catalog::Catalog& catalog,
          std::uint64_t written)
      : order(the_order),
        bytes(written),
        // The note keeps the file open as long as the writer's thread.
        writer(file->descriptor, most_waiting,
               [file](std::uint64_t dropped) { return "{\"dropped\":" + std::to_string(dropped) + "}\n"; }) {
    know_secrets(catalog);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() { writer.flush(patience); }

  void know_secrets(const catalog::Catalog& catalog) { secrets = std::make_shared<const Secrets>(secrets_of(catalog)); }

  const RecordingOrder order;
  std::atomic<std::shared_ptr<const Secrets>> secrets;
  std::atomic<std::uint64_t> bytes;
  BoundedWriter writer;
};

// A request as it is, which keeps what is read of its body.
class Recorder::Heard final : public http::Request {
 public:
  explicit Heard(http::Request& request) : http::Request(request), request_(request) {}

  std::string_view header(std::string_view name) const override { return request_.header(name); }
  std::size_t header_count(std::string_view name) const override { return request_.header_count(name); }
  std::vector<std::string_view> all_headers(std::string_view name) const override { return request_.all_headers(name); }
  Result<std::string> body(std::size_t limit) override {
    auto whole = request_.body(limit);
    if (whole) keep(*whole);
    return whole;
  }
  Result<void> read_body(std::size_t limit, const http::BodySink& sink) override {
    return request_.read_body(limit, [&](std::string_view part) {
      keep(part);
      return sink(part);
    });
  }

  // Puts the body there, or why it is not; it lives as long as this.
  void tell(RecordedRequest& recorded, const Secrets& secrets) {
    if (bytes_ == 0) return;
    if (header("Content-Type").starts_with("multipart/")) {
      recorded.left_out = "it brings files";
    } else if (bytes_ > longest_body) {
      recorded.left_out = "its body is longer than 64 KiB";
    } else if (auto masked = secrets.masked(body_)) {
      body_ = *std::move(masked);
      recorded.body = body_;
    } else {
      recorded.left_out = "its body is no JSON";
    }
  }

 private:
  void keep(std::string_view part) {
    bytes_ += part.size();
    if (bytes_ <= longest_body) body_ += part;
  }

  http::Request& request_;
  std::string body_;
  std::size_t bytes_ = 0;
};

Recorder::~Recorder() { end("the server stops"); }

void Recorder::look(const catalog::Catalog& catalog) {
  const auto running = running_.load();
  const auto order = read_order(content_of(folder_ + recording::order));
  const bool is_over = order && clock_.now().ms >= order->until_ms;
  if (!running && order && !is_over) begin(*order, catalog);
  if (!running) return;
  if (order && !is_over && running->bytes < running->order.bytes) return running->know_secrets(catalog);
  end(!order ? "it was asked for" : is_over ? "its time is over" : "it has its size");
  unlink((folder_ + recording::order).c_str());
}

// The file gets its name last: whoever sees it knows that each request is kept from now on.
void Recorder::begin(const RecordingOrder& order, const catalog::Catalog& catalog) {
  const std::string path = folder_ + recording::requests;
  std::error_code ignored;
  const std::string name = std::filesystem::exists(path, ignored) ? path : path + ".new";
  const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) {
    log::error("Requests are not recorded: " + name + " cannot be written: " + std::strerror(errno));
    unlink((folder_ + recording::order).c_str());
    return;
  }
  struct stat status {};
  const auto written = fstat(file, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
  auto running = std::make_shared<Running>(std::make_shared<const OpenFile>(file), order, catalog, written);
  running->writer.start();
  running_ = std::move(running);
  if (name != path && rename(name.c_str(), path.c_str()) != 0)
    log::error("The recording keeps the name " + name + ": " + std::strerror(errno));
  log::info("requests are recorded to " + path);
}

void Recorder::end(const char* why) {
  if (const auto running = running_.exchange(nullptr))
    log::info("the recording of requests has ended, since " + std::string(why));
}

std::optional<std::string_view> Recorder::below_root(std::string_view path) const {
  for (const std::string& root : roots_)
    if (path.starts_with(root)) return path.substr(root.size());
  return std::nullopt;
}

void Recorder::handle(http::Request& request, http::Response& response, api::RequestTrace& trace, const Next& next) {
  const auto running = running_.load();
  const auto below = running ? below_root(request.raw_path) : std::nullopt;
  if (!below || running->bytes >= running->order.bytes) return next(request, response, trace);
  const DateTime at = clock_.now();
  Heard heard(request);
  next(heard, response, trace);
  if (trace.session_type.empty() || request.raw_query.find("access_token") != request.raw_query.npos) return;
  RecordedRequest recorded{.at = at,
                           .method = request.method,
                           .path = *below,
                           .query = request.raw_query,
                           .route = trace.route,
                           .headers = {},
                           .body = {},
                           .left_out = {},
                           .person = trace.person,
                           .session_type = trace.session_type,
                           .client = trace.client,
                           .status = response.status,
                           .made = {}};
  const bool reads = request.method == "GET" || request.head;
  for (const std::string_view name : reads ? std::span<const std::string_view>(of_reads) : of_writes)
    if (const std::string_view value = request.header(name); !value.empty() && value != "*/*")
      recorded.headers.emplace_back(name, value);
  for (const auto& [name, value] : response.headers)
    if (!reads && name == "Location") recorded.made = key_in(value);
  heard.tell(recorded, *running->secrets.load());
  thread_local std::string line;
  line.clear();
  append_line(line, recorded);
  running->bytes.fetch_add(line.size(), std::memory_order_relaxed);
  running->writer.add(line, false);
}

}  // namespace callisto::app
