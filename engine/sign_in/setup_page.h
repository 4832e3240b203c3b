// The pages of the setup link: server-rendered, no script, nothing loaded. Values come as they are; Html escapes them.
// Pure; any thread.
#pragma once

#include <string>

namespace callisto::sign_in {

struct SetupPage {
  std::string action, token;  // of the form
  std::string login_name;     // what was typed
  std::string problem;        // why the page is there again; empty: the first time
};
std::string render(const SetupPage& page);

std::string render_setup_done(const std::string& login_name);
std::string render_setup_gone();  // wrong, used or expired: one page for all
std::string render_setup_failed();

}  // namespace callisto::sign_in
