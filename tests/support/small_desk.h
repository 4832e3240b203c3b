// The Lua files of a small desk in a temporary folder: one word of every kind. For what is told of a desk as a whole.
#pragma once

#include "engine/script/program.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace callisto::test {

class SmallDesk : public TemporaryFolder {
 public:
  SmallDesk() {
    for (const auto& [file, text] : files) write(file, text);
  }

  void write(const std::string& relative, const std::string& text) const {
    const std::filesystem::path path = *this / relative;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  std::shared_ptr<const script::Program> load() const {
    const auto loaded = script::load({*this / "entities"}, {*this / "scripts"});
    if (!loaded.program) throw std::logic_error(catalog::to_string(loaded.problems.front()));
    return loaded.program;
  }

  // The text without the folder's own path.
  std::string bare(std::string text) const {
    for (std::size_t at; (at = text.find(path() + "/")) != text.npos;) text.erase(at, path().size() + 1);
    return text;
  }

 private:
  static constexpr std::pair<const char*, const char*> files[] = {
      {"entities/common.lua", R"(return common { properties = {
  key "Ref" { readonly = true, description = "The record's number." },
  boolean "IsDeleted" { internal = true, readonly = true, default = false },
} })"},
      {"entities/shelf.lua",
       R"(return entity "shelf" { properties = { text "Name" { length = 20, required = true } } })"},
      {"entities/book.lua", R"(return entity "book" {
  description   = "What is read.",
  status        = "Beta",
  deletable     = true,
  summary       = { "Ref", "Title" },
  sub_resources = { list "page" { entity = "page", link = "Book" } },
  properties    = {
    text "Title" { length = 80, required = true, searchable = true, description = "As on the cover." },
    lookup "Shelf" { entity = "shelf" },
    integer "State" { readonly = true, default = 0 },
    decimal "Price" { scale = 2 },
    datetime "LentSince",
    boolean "IsRare" { stored = { "Y", "N" } },
    binary "Cover" { no_search = true },
    long "Copies",
  },
})"},
      {"entities/novel.lua",
       R"(return entity "novel" { extends = "book", properties = { richtext "Blurb", text "Code" { uppercase = true } } })"},
      {"entities/page.lua",
       R"(return entity "page" { properties = { lookup "Book" { entity = "book" }, short "Number" } })"},
      {"scripts/common/augmenters/Me.lua",
       R"(return token "Me" { returns = "Integer", value = function(session) return session.user_id end })"},
      {"scripts/common/augmenters/Near.lua", R"(return func "Near" {
  returns = "DateTime", constant = true, parameters = { integer "days" }, value = function(days) return datetime.now() end })"},
      {"scripts/book/augmenters/IsOld.lua",
       R"(return condition "IsOld" { description = "Old.", filter = "Ref < 10" })"},
      {"scripts/book/augmenters/Age.lua",
       R"(return extension "Age" { returns = "Text", needs = { "Title" }, value = function() return "old" end })"},
      {"scripts/book/states.lua", R"(return states "State" {
  state "In"  { value = 0, initial = true },
  state "Out" { value = 1, group = "Away*", description = "With a reader." },
})"},
      {"scripts/common/actions/read.lua", R"(return action "read" { allowed = { Analyst = true, User = "Ref > 1" } })"},
      {"scripts/common/actions/create.lua", R"(return action "create" { raises = "Created" })"},
      {"scripts/common/actions/update.lua", R"(return action "update" {})"},
      {"scripts/common/actions/delete.lua", R"(return action "delete" { supported = false })"},
      {"scripts/book/actions/lend.lua", R"(return action "lend" {
  description = "Give it away.",
  from        = "In",
  offered     = "!@IsOld",
  moves_to    = "Out",
  raises      = { "Lent" },
  mandatory   = { any_of "Reader" { text "Name" { length = 40 }, integer "Number" }, datetime "Until" },
  optional    = { "Shelf", text "Pin" { secret = "new" } },
  run = function(book) book.LentSince = datetime.now() end,
})"},
      {"scripts/book/actions/hide.lua", R"(return action "hide" { allowed = { Analyst = false } })"},
      {"scripts/book/hooks.lua", R"(return hooks {
  before_create = function(book) end,
})"},
      {"scripts/session-lists/shelves.lua",
       R"(return session_list "shelves" { entity = "book", where = "Ref == @Me", select = "Ref" })"},
  };
};

}  // namespace callisto::test
