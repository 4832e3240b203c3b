#include "engine/app/serving/own_door.h"

#include "engine/app/opening/data_folder.h"
#include "engine/app/opening/prepare.h"
#include "engine/base/log.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace callisto::app {

namespace {

std::string file_in(const std::string& data) { return data + "/listening"; }

std::vector<http::ListenAddress> told_by(const std::string& path) {
  std::vector<http::ListenAddress> addresses;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (auto address = http::parse_listen_address(line)) addresses.push_back(*std::move(address));
  return addresses;
}

bool is_known(const http::ListenAddress& address) { return address.is_unix() || address.port != 0; }

}  // namespace

OwnDoor own_door(const std::vector<http::ListenAddress>& addresses, bool tls) {
  http::ListenAddress address = addresses.front();
  if (address.is_unix()) return {"http://localhost", address.path};
  if (address.host == "0.0.0.0") address.host = "127.0.0.1";
  if (address.host == "::") address.host = "::1";
  return {http::url_of(address, tls), ""};
}

ListeningFile::ListeningFile(const std::string& data, const std::vector<http::ListenAddress>& addresses)
    : path_(file_in(data)) {
  std::ofstream file(path_);
  for (http::ListenAddress each : addresses) {
    std::error_code none;
    if (each.is_unix()) each.path = std::filesystem::absolute(each.path, none).string();
    file << to_string(each) << '\n';
  }
  file.close();
  if (!file) log::warning(path_ + " cannot be written: `callisto health` goes by the setting listen.");
}

ListeningFile::~ListeningFile() { std::remove(path_.c_str()); }

Result<std::vector<http::ListenAddress>> where_it_listens(const Settings& settings) {
  const auto server = server_of_data_folder(settings);
  auto addresses = server && *server ? told_by(file_in(settings.data)) : std::vector<http::ListenAddress>();
  if (!addresses.empty()) return addresses;
  CALLISTO_TRY(addresses, parse_listen(settings));
  std::erase_if(addresses, [](const http::ListenAddress& each) { return !is_known(each); });
  if (!addresses.empty()) return addresses;
  return bad_format("the setting listen has port 0, and no server that runs on the data folder " + settings.data +
                    " tells its own");
}

}  // namespace callisto::app
