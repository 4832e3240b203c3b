#include "engine/app/opening/desk_files.h"

#include "engine/auth/admin.h"
#include "engine/base/progress.h"
#include "engine/base/text.h"
#include "engine/json/read.h"
#include "engine/records/convert.h"
#include "engine/records/insert.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

namespace callisto::app {

namespace {

namespace fs = std::filesystem;

struct Line {
  std::string where;  // file:line, for messages
  json::Node node;
};

Error at(const std::string& where, std::string message) {
  Error error = bad_format(std::move(message));
  error.log_detail = where + ": " + error.message;
  return error;
}

Result<std::vector<Line>> read_lines(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return at(path.string(), "the file cannot be read");
  std::vector<Line> lines;
  std::string text;
  for (int number = 1; std::getline(in, text); ++number) {
    if (text.empty()) continue;
    const std::string where = path.string() + ":" + std::to_string(number);
    auto node = json::parse(text);
    if (!node) return at(where, node.error().message);
    lines.push_back({where, *std::move(node)});
  }
  return lines;
}

std::string text_of(const json::Node& node, std::string_view member) {
  const json::Node* found = node.find(member);
  return found ? found->text() : std::string();
}

std::vector<std::string> texts_of(const json::Node& node, std::string_view member) {
  std::vector<std::string> texts;
  if (const json::Node* found = node.find(member))
    for (const json::Node& item : found->items()) texts.push_back(item.text());
  return texts;
}

class Loader {
 public:
  Loader(storage::Connection& connection, const records::Model& model, const fs::path& folder, DateTime now,
         Random& random, Unknown unknown)
      : connection_(connection),
        model_(model),
        folder_(folder),
        inserter_(model.store, connection, now, random),
        stamp_{now, random},
        skips_(unknown == Unknown::Skipped) {}

  Result<void> run() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const std::string name = entry.path().filename().string();
      if (name.size() > 3 && name[0] >= '0' && name[0] <= '9' && entry.path().extension() == ".jsonl")
        files.push_back(entry.path());
    }
    if (files.empty()) return at(folder_.string(), "there is no data of a desk in this folder");
    std::sort(files.begin(), files.end());
    Progress progress("loading " + folder_.string(), files.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
      CALLISTO_CHECK(load_entity(files[i]));
      progress.advance_to(i + 1);
    }
    CALLISTO_CHECK(inserter_.finish());
    CALLISTO_CHECK(load_roles());
    CALLISTO_CHECK(load_clients());
    return load_accounts();
  }

 private:
  // 22-call.jsonl: calls; a line's _type names a final type below it.
  Result<void> load_entity(const fs::path& path) {
    const std::string stem = path.stem().string();
    const std::string name = stem.substr(stem.find('-') + 1);
    CALLISTO_TRY(const auto lines, read_lines(path));
    for (const Line& line : lines) {
      const std::string type = text_of(line.node, "_type");
      const catalog::Entity* entity = model_.catalog().find(type.empty() ? name : type);
      if (!entity && skips_) continue;
      if (!entity) return at(line.where, "there is no entity '" + (type.empty() ? name : type) + "'");
      CALLISTO_CHECK(load_row(*entity, line));
    }
    return {};
  }

  Result<void> load_row(const catalog::Entity& entity, const Line& line) {
    records::NewRow row{&entity, {}};
    for (const json::Member& member : line.node.members()) {
      if (member.name == "_type") continue;
      const catalog::Property* property = entity.find_property(member.name);
      if (!property && skips_) continue;
      if (!property) return at(line.where, entity.name + " has no property '" + member.name + "'");
      auto value = records::from_json(*property, member.value);
      if (!value) return at(line.where, member.name + ": " + value.error().message);
      row.values.emplace(property, *std::move(value));
    }
    if (entity.name == catalog::system::person_entity) remember_person(line.node);
    auto inserted = inserter_.insert(row);
    if (!inserted) return std::move(inserted).error();
    return {};
  }

  void remember_person(const json::Node& node) {
    const std::string login = text_of(node, "LoginId");
    if (!login.empty()) persons_.emplace(login, std::stoll(text_of(node, catalog::system::key)));
  }

  Result<std::vector<Line>> lines_of(const char* file) const {
    const fs::path path = folder_ / file;
    if (!fs::exists(path)) return std::vector<Line>();
    return read_lines(path);
  }

  // One that is there already keeps its rights.
  Result<void> load_roles() {
    CALLISTO_TRY(const auto lines, lines_of("roles.jsonl"));
    for (const Line& line : lines) {
      auth::Role role{text_of(line.node, "Name"), texts_of(line.node, "Rights"), {}};
      if (text_of(line.node, "Partitions") != "all") {
        role.partitions.emplace();
        for (const std::string& partition : texts_of(line.node, "Partitions"))
          role.partitions->push_back(std::stoll(partition));
      }
      CALLISTO_TRY(const auto known, auth::find_role(connection_, role.name));
      if (known) roles_[role.name] = *known;
      else { CALLISTO_TRY(roles_[role.name], auth::put_role(connection_, role, stamp_)); }
    }
    return {};
  }

  Result<void> load_clients() {
    CALLISTO_TRY(const auto lines, lines_of("clients.jsonl"));
    for (const Line& line : lines) {
      auth::Client client;
      client.id = text_of(line.node, "ClientId");
      client.name = text_of(line.node, "Name");
      client.only = auth::session_type(text_of(line.node, "SessionType"));
      client.grants = texts_of(line.node, "Grants");
      client.redirect_uris = texts_of(line.node, "RedirectUris");
      if (const std::string hash = text_of(line.node, "SecretHash"); !hash.empty()) client.secret_hash = hash;
      if (const json::Node* enabled = line.node.find("Enabled")) client.enabled = enabled->boolean();
      CALLISTO_CHECK(auth::put_client(connection_, client, stamp_));
    }
    return {};
  }

  Result<void> load_accounts() {
    CALLISTO_TRY(const auto lines, lines_of("accounts.jsonl"));
    for (const Line& line : lines) {
      const auto person = persons_.find(text_of(line.node, "LoginId"));
      if (person == persons_.end()) return at(line.where, "no person has this LoginId");
      CALLISTO_CHECK(auth::put_password_hash(connection_, person->second, text_of(line.node, "PasswordHash")));
      for (const std::string& name : texts_of(line.node, "Roles")) {
        const auto role = roles_.find(name);
        if (role == roles_.end()) return at(line.where, "there is no role '" + name + "'");
        CALLISTO_CHECK(auth::assign_role(connection_, person->second, role->second, stamp_));
      }
    }
    return {};
  }

  storage::Connection& connection_;
  const records::Model& model_;
  fs::path folder_;
  records::Inserter inserter_;
  storage::Stamp stamp_;
  const bool skips_;
  std::map<std::string, std::int64_t> persons_;
  std::map<std::string, std::int64_t> roles_;
};

}  // namespace

Result<void> load_desk_files(storage::Connection& connection, const records::Model& model, const std::string& folder,
                             const storage::Stamp& stamp, Unknown unknown) {
  return Loader(connection, model, folder, stamp.now, stamp.random, unknown).run();
}

}  // namespace callisto::app
