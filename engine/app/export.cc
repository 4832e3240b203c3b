// callisto export, and callisto import of what it wrote.
#include "engine/app/commands.h"
#include "engine/app/opening/load.h"
#include "engine/app/serving/nodes.h"
#include "engine/base/progress.h"
#include "engine/base/text.h"
#include "engine/base/whole_file.h"
#include "engine/importing/dump.h"
#include "engine/importing/text.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

namespace callisto::app {

namespace {

// Standard output, or a new file.
class Output {
 public:
  static Result<Output> open(const std::string& path) {
    if (path.empty() || path == "-") return Output(std::nullopt);
    if (is_taken(path)) return bad_format(path + " exists: name a new file");
    CALLISTO_TRY(WholeFile file, WholeFile::make(path, 0600));
    return Output(std::move(file));
  }

  Result<void> put(std::string_view line) {
    if (file_) return file_->write(line);
    return checked(std::fwrite(line.data(), 1, line.size(), stdout) == line.size());
  }

  Result<void> finish() { return file_ ? file_->keep_as_new() : checked(std::fflush(stdout) == 0); }

 private:
  explicit Output(std::optional<WholeFile> file) : file_(std::move(file)) {}

  static Result<void> checked(bool written) {
    if (written) return {};
    return bad_format("the export cannot be written: " + std::string(std::strerror(errno)));
  }

  std::optional<WholeFile> file_;  // nothing: standard output
};

// The tables of entities; children share their parent's.
Result<std::vector<std::string>> tables_of(const catalog::Catalog& catalog, const std::vector<std::string>& names) {
  std::vector<std::string> tables;
  for (const std::string& name : names) {
    const catalog::Entity* entity = catalog.find(name);
    if (!entity) {
      const std::string near = text::nearest(name, catalog.entity_names());
      return bad_format("there is no entity " + text::quoted(name) +
                        (near.empty() ? std::string() : "; did you mean '" + near + "'?"));
    }
    tables.push_back(entity->root().table.text());
  }
  return tables;
}

class Meter {
 public:
  explicit Meter(std::string title) : title_(std::move(title)) {}
  void operator()(std::uint64_t done, std::uint64_t all) {
    if (!progress_) progress_.emplace(title_, all);
    progress_->advance_to(done);
  }

 private:
  std::string title_;
  std::optional<Progress> progress_;
};

Result<void> write_export(const Settings& settings, const ExportOptions& options,
                          const std::vector<std::string>& tables) {
  CALLISTO_TRY(const auto database,
               storage::Database::open(
                   {.url = settings.database_url(), .read_only = true, .read_deadline = std::chrono::hours(24)}));
  CALLISTO_TRY(const auto connection, database->connect_reader());
  CALLISTO_TRY(Output output, Output::open(options.output));
  Meter meter("export");
  CALLISTO_CHECK(importing::write_dump(
      *connection, tables, [&](std::string_view line) { return output.put(line); },
      [&](std::uint64_t done, std::uint64_t all) { meter(done, all); }));
  return output.finish();
}

}  // namespace

int export_rows(const Settings& settings, const ExportOptions& options) {
  std::vector<std::string> tables;
  if (!options.entities.empty()) {
    const SystemClock clock;
    SystemRandom random;
    const auto model = load_model(settings, clock, random);
    if (!model) return 1;
    auto found = tables_of(model->catalog(), options.entities);
    if (!found) {
      print_error(found.error());
      return 2;
    }
    tables = *std::move(found);
  }
  if (const auto done = write_export(settings, options, tables); !done) {
    print_error(done.error());
    return 1;
  }
  return 0;
}

int import_export(const Settings& settings, const std::string& file) {
  const auto text = importing::read_file(file);
  if (!text) {
    print_error(text.error());
    return 1;
  }
  if (!importing::is_dump(*text)) {
    std::fprintf(stderr,
                 "callisto: %s was not written by callisto export: say with --map how its rows become records\n",
                 file.c_str());
    return 2;
  }
  const SystemClock clock;
  SystemRandom random;
  const auto model = load_model(settings, clock, random);
  if (!model) return 1;
  const auto database = open_database(settings, *model, clock);
  if (!database) {
    std::fprintf(stderr, "callisto: nothing was imported; a server that has the desk open must be stopped first\n");
    return 1;
  }
  Meter meter("import");
  const auto rows = importing::load_dump(*database, model->catalog(), *text,
                                         [&](std::uint64_t done, std::uint64_t all) { meter(done, all); });
  if (!rows) {
    print_error(rows.error());
    return 1;
  }
  std::printf("%llu rows imported\n", static_cast<unsigned long long>(*rows));
  if (const auto has_key = has_agreed_key(*database); has_key && *has_key)
    std::printf("Take the desk's key along: copy secret.key of the exported desk's data folder into %s.\n",
                settings.data.c_str());
  return 0;
}

}  // namespace callisto::app
