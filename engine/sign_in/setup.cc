#include "engine/sign_in/setup.h"

#include "engine/auth/base64.h"
#include "engine/auth/password.h"
#include "engine/base/log.h"
#include "engine/base/text.h"
#include "engine/http/url.h"
#include "engine/sign_in/setup_page.h"

#include <openssl/crypto.h>

#include <algorithm>

namespace callisto::sign_in {

struct Setup::Form {
  std::string token, login_name, password, repeated;
};

namespace {

constexpr std::size_t form_limit = 32 * 1024;
constexpr std::size_t shortest_password = 8, longest_password = 1024, longest_login_name = 80;

void answer(http::Response& response, int status, std::string html) {
  response.status = status;
  response.content_type = "text/html; charset=utf-8";
  response.headers.emplace_back("Cache-Control", "no-store");
  response.headers.emplace_back("Content-Security-Policy",
                                "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'");
  response.headers.emplace_back("Referrer-Policy", "no-referrer");
  response.headers.emplace_back("X-Frame-Options", "DENY");
  response.body = std::move(html);
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

// Empty where it is missing or stands there twice.
std::string value_of(const Pairs& pairs, std::string_view name) {
  const auto is_it = [&](const auto& pair) { return pair.first == name; };
  const auto found = std::find_if(pairs.begin(), pairs.end(), is_it);
  return std::count_if(pairs.begin(), pairs.end(), is_it) == 1 ? found->second : std::string();
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

// What a person has to do otherwise; empty: nothing.
std::string problem_of(std::string_view login_name, std::string_view password, std::string_view repeated) {
  if (login_name.empty()) return "Choose a user name.";
  if (text::length(login_name) > longest_login_name) return "The user name has at most 80 characters.";
  if (has_control(login_name)) return "The user name has characters that nobody can type.";
  if (text::length(password) < shortest_password) return "A password has at least 8 characters.";
  if (text::length(password) > longest_password) return "A password has at most 1024 characters.";
  return password == repeated ? "" : "The two passwords are not the same.";
}

}  // namespace

Setup::Setup(std::string path, const Clock& clock, Random& random, CreateAdministrator create)
    : path_(std::move(path)), clock_(clock), random_(random), create_(std::move(create)) {}

std::string Setup::offer() {
  const std::string token = auth::encode_base64(random_.bytes(32), auth::Base64::Url);
  std::lock_guard lock(mutex_);
  digest_ = auth::digest_of(token);
  expires_ms_ = clock_.steady_ms() + lifetime_ms;
  return path_ + "?token=" + token;
}

bool Setup::is_open(std::string_view token) const {
  if (!digest_ || clock_.steady_ms() >= expires_ms_) return false;
  const auth::Digest digest = auth::digest_of(token);
  return CRYPTO_memcmp(digest.data(), digest_->data(), digest.size()) == 0;
}

bool Setup::handle(http::Request& request, http::Response& response) {
  if (request.raw_path != path_) return false;
  if (request.method == "GET" || request.method == "HEAD") {
    show(request, response);
  } else if (request.method == "POST") {
    take(request, response);
  } else {
    response.headers.emplace_back("Allow", "GET, HEAD, POST");
    answer(response, 405, render_setup_gone());
  }
  return true;
}

// Looking at the link does not use it up: mail scanners and chat previews follow links too.
void Setup::show(const http::Request& request, http::Response& response) {
  const auto pairs = http::decode_query(request.raw_query);
  const std::string token = pairs ? value_of(*pairs, "token") : std::string();
  std::lock_guard lock(mutex_);
  if (is_open(token)) answer(response, 200, render(SetupPage{path_, token, {}, {}}));
  else answer(response, 404, render_setup_gone());
}

void Setup::take(http::Request& request, http::Response& response) {
  const auto body = request.body(form_limit);
  const auto pairs = body ? http::decode_query(*body) : Result<Pairs>(body.error());
  Form form;
  if (pairs) {
    const std::string login_name = value_of(*pairs, "username");
    form = {value_of(*pairs, "token"), std::string(text::trim(login_name)), value_of(*pairs, "password"),
            value_of(*pairs, "repeated")};
  }
  std::lock_guard lock(mutex_);
  if (!is_open(form.token)) return answer(response, 404, render_setup_gone());
  const std::string problem = problem_of(form.login_name, form.password, form.repeated);
  if (problem.empty()) return create(form, request, response);
  answer(response, 400, render(SetupPage{path_, form.token, form.login_name, problem}));
}

void Setup::create(const Form& form, const http::Request& request, http::Response& response) {
  const std::string hash = auth::PasswordHash::make(form.password, auth::ScryptCost{}, random_).text();
  const auto created = create_(form.login_name, hash, std::string(request.remote_address));
  if (created) {
    digest_.reset();
    return answer(response, 200, render_setup_done(form.login_name));
  }
  const Error& error = created.error();
  if (error.status < 500)
    return answer(response, 400, render(SetupPage{path_, form.token, form.login_name, error.message}));
  log::error("The administrator could not be made: " + error.log_detail);
  answer(response, error.status, render_setup_failed());
}

}  // namespace callisto::sign_in
