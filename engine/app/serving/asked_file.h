// AskedFile: keeps the asked queries (api::AskedQueries) in a file of the data folder, for `callisto advise`, and
// continues what an earlier run kept. The file is no record of the desk: if it cannot be written, a line of the log
// says so.
#pragma once

#include "engine/api/asked_queries.h"

#include <string>

namespace callisto::app {

class AskedFile {
 public:
  AskedFile(std::string path, api::AskedQueries& asked);  // reads what is there
  ~AskedFile() { write(); }
  AskedFile(const AskedFile&) = delete;
  AskedFile& operator=(const AskedFile&) = delete;
  void write() const;  // any one thread at a time

 private:
  const std::string path_;
  api::AskedQueries& asked_;
};

}  // namespace callisto::app
