// The files of the pages, compiled into the program and compressed when it is built, and the documents, which differ in
// the modules that they have loaded at once. All of it is constant: no answer depends on who asks. Any thread.
#pragma once

#include "engine/http/message.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace callisto::workbench {

struct Options {
  std::string base_url;  // empty: as each request addresses the server
  std::string api_root, oauth_root;
  std::string version;  // segment of the API, "v1"
  std::string server_name;
  std::string program_version;
};

// The path of base_url, below which a proxy publishes this server; empty where it has none.
std::string base_path(const Options& options);

class Pages {
 public:
  explicit Pages(const Options& options);

  // The document of a `page`, as its url says behind "/workbench/". The first part of that is the name of its module,
  // which the document names with all that it imports: nothing is found out step by step, and no other page costs
  // anything.
  void answer_shell(std::string_view page, http::Response& response) const;
  // `name`: DIGEST/NAME. The digest is that of all files, so that each may be kept for good.
  void answer_file(std::string_view name, http::Response& response) const;
  void answer_problem(int status, std::string_view problem, http::Response& response) const;

 private:
  struct File {
    std::string_view content_type;
    std::shared_ptr<const std::string> compressed;
  };
  std::string name_;
  std::string digest_;  // of all files, 16 hex digits
  std::map<std::string, File, std::less<>> files_;
  std::map<std::string, std::shared_ptr<const std::string>, std::less<>> shells_;  // by the page's module
  std::shared_ptr<const std::string> plain_shell_;                                 // where there is no such page
};

}  // namespace callisto::workbench
