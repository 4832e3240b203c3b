// Makes the first administrator of a new desk in a browser, by a one-time link that the server shows at its start. The
// link's token is its only key and also protects against CSRF; only its digest is kept, in memory, for an hour or until
// the link is used. Any thread.
#pragma once

#include "engine/auth/token.h"
#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/base/result.h"
#include "engine/http/message.h"

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace callisto::sign_in {

class Setup {
 public:
  // Makes the person, with all rights. Answers the id of the client that was made with it, where the desk had none;
  // else nothing. An error below 500 is told at the form; its message is for people.
  using CreateAdministrator = std::function<Result<std::string>(
      const std::string& login, const std::string& password_hash, const std::string& remote_address)>;
  static constexpr std::int64_t lifetime_ms = 3600 * 1000;

  // `path`: "{oauth}/setup"; `server_name`: as the pages call it. References outlive this.
  Setup(std::string path, std::string server_name, const Clock& clock, Random& random, CreateAdministrator create);

  // The path and query of the link. Until it is called there is nothing at the path but a page of status 404.
  std::string offer();
  // False, and nothing done, for every other path.
  bool handle(http::Request& request, http::Response& response);

 private:
  struct Form;
  bool is_open(std::string_view token) const;  // mutex_ is held
  void show(const http::Request& request, http::Response& response);
  void take(http::Request& request, http::Response& response);
  void create(const Form& form, const http::Request& request, http::Response& response);

  void refuse(const Form& form, std::string_view at_fault, std::string problem, http::Response& response) const;
  void answer_gone(int status, http::Response& response) const;

  const std::string path_, server_name_;
  const std::string action_;  // relative: a proxy may serve this server below a path of its own
  const Clock& clock_;
  Random& random_;
  const CreateAdministrator create_;
  std::mutex mutex_;  // held while the administrator is made, so that a link makes one
  std::optional<auth::Digest> digest_;
  std::int64_t expires_ms_ = 0;  // steady
};

}  // namespace callisto::sign_in
