// The pages that a person sees while signing in. Values are given unescaped; Html escapes them. Pure; any thread.
#pragma once

#include "engine/sign_in/provider.h"

#include <string>
#include <vector>

namespace callisto::sign_in {

struct SignInPage {
  std::string server_name;  // "Hollerbach IT"
  std::string client_name;  // who asks; from the database
  std::string destination;  // where the answer goes, as people read it
  std::string action;       // the form's url
  std::string pending;      // see PendingRequests
  std::string login_name;   // what was typed, or login_hint
  std::string problem;      // why the page is there again; empty: the first time
  std::string cancel_url;   // the client, with access_denied

  struct Link {
    std::string label, url;
  };
  std::vector<Link> offers;  // other ways to sign in
};
std::string render(const SignInPage& page);

struct ProblemPage {
  std::string server_name, problem;
};
std::string render(const ProblemPage& page);

// "127.0.0.1:8765" -> a program on this device; https://app.example/x -> app.example.
std::string destination_of(const std::string& redirect_uri);

}  // namespace callisto::sign_in
