#include "engine/sign_in/setup.h"

#include "engine/auth/password.h"
#include "engine/base/base64.h"
#include "engine/base/hmac.h"
#include "engine/base/log.h"
#include "engine/base/text.h"
#include "engine/http/url.h"
#include "engine/sign_in/exchange.h"
#include "engine/sign_in/pages/setup_page.h"

#include <algorithm>

namespace callisto::sign_in {

struct Setup::Form {
  std::string token, login_name, password, repeated;
};

namespace {

constexpr std::size_t form_limit = 32 * 1024;
constexpr std::size_t shortest_password = 8, longest_password = 1024, longest_login_name = 80;

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

struct Fault {
  std::string_view field, words;  // without words: none
};

Fault fault_of(std::string_view login_name, std::string_view password, std::string_view repeated) {
  if (login_name.empty()) return {"username", "Choose a user name."};
  if (text::length(login_name) > longest_login_name) return {"username", "The user name has at most 80 characters."};
  if (has_control(login_name)) return {"username", "The user name has characters that nobody can type."};
  if (text::length(password) < shortest_password) return {"password", "A password has at least 8 characters."};
  if (text::length(password) > longest_password) return {"password", "A password has at most 1024 characters."};
  return password == repeated ? Fault{} : Fault{"repeated", "The two passwords are not the same."};
}

}  // namespace

Setup::Setup(std::string path, std::string server_name, const Clock& clock, Random& random, CreateAdministrator create)
    : path_(std::move(path)),
      server_name_(std::move(server_name)),
      action_(path_.substr(path_.rfind('/') + 1)),
      clock_(clock),
      random_(random),
      create_(std::move(create)) {}

std::string Setup::offer() {
  const std::string token = encode_base64(random_.bytes(32), Base64::Url);
  std::lock_guard lock(mutex_);
  digest_ = auth::digest_of(token);
  expires_ms_ = clock_.steady_ms() + lifetime_ms;
  return path_ + "?token=" + token;
}

bool Setup::is_open(std::string_view token) const {
  if (!digest_ || clock_.steady_ms() >= expires_ms_) return false;
  return equal_in_constant_time(view(auth::digest_of(token)), view(*digest_));
}

bool Setup::handle(http::Request& request, http::Response& response) {
  if (request.raw_path != path_) return false;
  if (request.method == "GET" || request.method == "HEAD") {
    show(request, response);
  } else if (request.method == "POST") {
    take(request, response);
  } else {
    response.headers.emplace_back("Allow", "GET, HEAD, POST");
    answer_gone(405, response);
  }
  return true;
}

// Looking at the link does not use it up: mail scanners and chat previews follow links too.
void Setup::show(const http::Request& request, http::Response& response) {
  const auto pairs = http::decode_query(request.raw_query);
  const std::string token = pairs ? value_of(*pairs, "token") : std::string();
  std::lock_guard lock(mutex_);
  if (!is_open(token)) return answer_gone(404, response);
  answer_page(response, 200, render(SetupPage{server_name_, action_, token, {}, {}, {}}), "'self'");
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
  if (!is_open(form.token)) return answer_gone(404, response);
  const Fault fault = fault_of(form.login_name, form.password, form.repeated);
  if (fault.words.empty()) return create(form, request, response);
  refuse(form, fault.field, std::string(fault.words), response);
}

void Setup::create(const Form& form, const http::Request& request, http::Response& response) {
  const std::string hash = auth::PasswordHash::make(form.password, auth::ScryptCost{}, random_).text();
  const auto created = create_(form.login_name, hash, std::string(request.remote_address));
  if (created) {
    digest_.reset();
    return answer_page(response, 200, render_setup_done(server_name_, form.login_name, *created));
  }
  const Error& error = created.error();
  if (!error.is_of_server()) return refuse(form, "username", error.message, response);
  log::error("The administrator could not be made: " + error.log_detail);
  answer_page(response, error.status, render_setup_failed(server_name_));
}

void Setup::refuse(const Form& form, std::string_view at_fault, std::string problem, http::Response& response) const {
  const SetupPage page{server_name_, action_, form.token, form.login_name, at_fault, std::move(problem)};
  answer_page(response, 400, render(page), "'self'");
}

void Setup::answer_gone(int status, http::Response& response) const {
  answer_page(response, status, render_setup_gone(server_name_));
}

}  // namespace callisto::sign_in
