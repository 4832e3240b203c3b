// The pages of the setup link. Values are given unescaped; Html escapes them. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace callisto::sign_in {

struct SetupPage {
  std::string server_name;
  std::string action, token;  // of the form
  std::string login_name;     // what was typed
  std::string_view at_fault;  // the field that the problem is about: username, password or repeated
  std::string problem;        // why the page is there again; empty: the first time
};
std::string render(const SetupPage& page);

// `client`: the id of the one that was made with the administrator; empty: the desk has others.
std::string render_setup_done(const std::string& server_name, const std::string& login_name, const std::string& client);
std::string render_setup_gone(const std::string& server_name);  // wrong, used or expired: one page for all
std::string render_setup_failed(const std::string& server_name);

}  // namespace callisto::sign_in
