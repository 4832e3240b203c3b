// A library of books in a temporary folder, which `callisto check` finds nothing wrong with.
#pragma once

#include "engine/app/describing/findings.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace callisto::test {

class RuleDesk {
 public:
  RuleDesk() {
    write("entities/common.lua", R"(return common {
  properties = { key "Ref", text "Id", boolean "IsDeleted" { internal = true }, long "RecordVersion" { internal = true } },
}
)");
    write("entities/author.lua", "return entity \"author\" { properties = { text \"Name\" } }\n");
    write("entities/book.lua", R"(return entity "book" {
  properties = {
    text "Title" { length = 40 },
    short "State",
    lookup "Author" { entity = "author" },
  },
}
)");
    write("scripts/book/states.lua", R"(return states "State" {
  state "Ordered" { value = 0, initial = true },
  state "Shelved" { value = 1 },
  state "Lost"    { value = 2 },
}
)");
    write("scripts/book/actions/shelve.lua",
          "return action \"shelve\" { from = { \"Ordered\", \"Lost\" }, moves_to = \"Shelved\" }\n");
    write("scripts/book/actions/lose.lua", "return action \"lose\" { from = \"Shelved\", moves_to = \"Lost\" }\n");
    write("scripts/book/augmenters/IsOnShelf.lua", "return condition \"IsOnShelf\" { filter = \"State == 1\" }\n");
    write("scripts/common/augmenters/UserId.lua",
          "return token \"UserId\" { returns = \"Integer\", value = function(session) return session.user_id end }\n");
  }

  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path path(folder_ / file);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  app::Checked checked(app::Settings settings = {}) const {
    settings.entities = {folder_ / "entities"};
    settings.scripts = {folder_ / "scripts"};
    SystemRandom random;
    auto checked = app::check_desk(settings, SystemClock(), random);
    REQUIRE(checked);
    return *std::move(checked);
  }

  // What people read, without the folder's name.
  std::string text() const { return without_folder(app::to_text(checked().findings, false)); }
  std::string json() const { return without_folder(app::in_format("json", checked().findings)); }

 private:
  std::string without_folder(std::string text) const {
    const std::string folder = folder_ / "";
    for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder)) text.erase(at, folder.size());
    return text;
  }

  TemporaryFolder folder_;
};

}  // namespace callisto::test
