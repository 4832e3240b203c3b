#include "engine/records/files.h"

#include "engine/records/check_input.h"
#include "engine/records/visible.h"

#include <utility>

namespace callisto::records {

namespace {

using catalog::Action;
using catalog::Entity;
using catalog::Property;
namespace system = catalog::system;

// The right to the update action of the record that the files hang on.
Result<const Action*> allowed_update(RuleCheck& rules, const Record& record) {
  const Action* update = record.entity().find_action("update");
  if (!update) return not_supported("Records of " + record.entity().name + " cannot be changed.", "GET, HEAD, OPTIONS");
  CALLISTO_TRY(const bool allowed, rules.allows(record, *update));
  if (!allowed) return forbidden("This session may not change this " + record.entity().name + ".");
  return update;
}

// A file that is there already is for those who work with the record. Of others, for whom the file's own action says
// so, while the record itself takes changes from them.
Result<void> check_own(Change& change, Change::Handle parent, Change::Handle handle, const Action& action) {
  const Record& record = change.record(parent);
  CALLISTO_TRY(const bool allowed, change.rules().allows(change.record(handle), action));
  if (!allowed) return forbidden("This session may not " + action.name + " this " + change.entity(handle).name + ".");
  CALLISTO_TRY(const bool offered, change.rules().offers(record, *record.entity().find_action("update")));
  if (offered) return {};
  return invalid_state("This " + record.entity().name + " in " + state_name(record) +
                       " takes no changes from this session, so neither do its files.");
}

// API rule 4.5, with that action.
Result<void> check_allowed(Change& change, Change::Handle handle) {
  const Record& record = change.record(handle);
  CALLISTO_TRY(const Action* update, allowed_update(change.rules(), record));
  CALLISTO_TRY(const bool offered, change.rules().offers_in_any_state(record, *update));
  if (!offered)
    return invalid_state("This " + record.entity().name + " takes no changes from this session now, so neither do " +
                         "its files; its _actions tell when it does.");
  return {};
}

std::int64_t size_of(const Value& content) {
  const auto* bytes = std::get_if<Binary>(&content);
  return bytes ? static_cast<std::int64_t>(bytes->bytes.size()) : 0;
}

class Files {
 public:
  Files(const Writer& writer, const Context& context, Change& change, const FilePlace& place,
        const WriteRequest& request)
      : context_(context),
        change_(change),
        place_(place),
        most_bytes_(writer.most_file_bytes()),
        request_(request),
        properties_(*file_properties(*place.list->entity)) {}

  Result<void> open_parent() {
    CALLISTO_TRY(parent_, change_.open(*place_.parent, place_.key));
    return check_allowed(change_, parent_);
  }

  // By the JSON of the request.
  Result<std::int64_t> add_described() {
    CALLISTO_CHECK(check_body(request_));
    CALLISTO_TRY(const Change::Handle handle, make());
    CALLISTO_CHECK(take_description(handle, action("create")));
    return change_.record(handle).key();
  }

  Result<std::int64_t> add(NewFile& file) {
    CALLISTO_TRY(const Change::Handle handle, make());
    CALLISTO_CHECK(take_bytes(handle, action("create"), file));
    return change_.record(handle).key();
  }

  // API rule 5.1: a child that is not under that parent. For that action of it.
  Result<Change::Handle> open_file(std::string_view name) {
    const Error missing = linked_record_not_found(
        404, "There is no such " + place_.list->entity->name + " below this " + place_.parent->name + ".");
    CALLISTO_TRY(const auto handle, change_.find(*place_.list->entity, {place_.file}));
    if (!handle) return missing;
    const Record& file = change_.record(*handle);
    const bool below = file.get(*place_.list->link) == Value(place_.key) && !is_deleted(file) &&
                       (!place_.list->type_link || is_type(file.get(*place_.list->type_link)));
    if (!below) return missing;
    if (context_.session.type == auth::SessionType::User)
      CALLISTO_CHECK(check_own(change_, parent_, *handle, action(name)));
    return *handle;
  }

  Result<void> change(Change::Handle handle, std::optional<NewFile>& file) {
    CALLISTO_CHECK(check_version(change_.record(handle), request_.if_match));
    const std::int64_t version = version_of(handle);
    if (file) CALLISTO_CHECK(take_bytes(handle, action("update"), *file));
    else {
      CALLISTO_CHECK(check_body(request_));
      CALLISTO_CHECK(take_description(handle, action("update")));
    }
    return version == version_of(handle) ? Result<void>() : note(handle, action("update"));
  }

  Result<void> remove(Change::Handle handle) {
    CALLISTO_CHECK(check_version(change_.record(handle), request_.if_match));
    CALLISTO_CHECK(change_.perform(handle, action("delete"), {}));
    return note(handle, action("delete"));
  }

 private:
  const Action& action(std::string_view name) const { return *place_.list->entity->find_action(name); }

  // Of the file: grows where something was changed.
  std::int64_t version_of(Change::Handle handle) const {
    const Property* version = change_.entity(handle).find_property(system::version);
    const Value value = version ? change_.record(handle).get(*version) : Value(Null{});
    const auto* number = std::get_if<std::int64_t>(&value);
    return number ? *number : -1;
  }

  // In the history of what it hangs on.
  Result<void> note(Change::Handle file, const Action& action) {
    return change_.note_part(parent_, action, change_.entity(file).name, change_.record(file).get(*properties_.name));
  }

  bool is_type(const Value& value) const {
    const auto* name = std::get_if<std::string>(&value);
    return name && (*name == change_.entity(parent_).name || *name == place_.parent->name);
  }

  Result<Change::Handle> make() {
    CALLISTO_TRY(const Change::Handle handle, change_.make(*place_.list->entity));
    CALLISTO_CHECK(change_.set(handle, *place_.list->link, place_.key));
    if (place_.list->type_link)
      CALLISTO_CHECK(change_.set(handle, *place_.list->type_link, change_.entity(parent_).name));
    const Property* theirs = place_.list->entity->find_property(system::partition);
    const Property* ours = change_.entity(parent_).find_property(system::partition);
    if (theirs && ours) CALLISTO_CHECK(change_.set(handle, *theirs, change_.get(parent_, *ours)));
    return handle;
  }

  Result<void> take_description(Change::Handle handle, const Action& action) {
    CALLISTO_TRY(const RecordFields fields, change_.rules().fields(change_.record(handle)));
    ReadBody read = read_body(*request_.body, action, change_.record(handle), fields);
    CALLISTO_CHECK(check_input(context_, change_, action, change_.record(handle), read));
    if (const auto given = read.input.properties.find(properties_.content); given != read.input.properties.end()) {
      const std::int64_t size = size_of(given->second);
      if (static_cast<std::size_t>(size) > most_bytes_) return file_too_large(most_bytes_);
      read.input.properties.emplace(properties_.size, size);
    } else if (action.creates()) {
      read.input.properties.emplace(properties_.size, std::int64_t{0});
    }
    return change_.perform(handle, action, read.input);
  }

  // What a file is made of is its bytes: who may not write them changes none.
  Result<void> check_content(const RecordFields& fields, const Action& action) const {
    if (!fields.hides(*properties_.content) && !fields.fixes(*properties_.content)) return {};
    return forbidden("This session may not " + action.name + " the bytes of " + place_.list->entity->name + ".");
  }

  Result<void> take_bytes(Change::Handle handle, const Action& action, NewFile& file) {
    if (file.content.size() > most_bytes_) return file_too_large(most_bytes_);
    CALLISTO_TRY(const RecordFields fields, change_.rules().fields(change_.record(handle)));
    CALLISTO_CHECK(check_content(fields, action));
    ReadBody described = read_body(*request_.body, action, change_.record(handle), fields);
    CALLISTO_CHECK(check_input(context_, change_, action, change_.record(handle), described));
    Input input = std::move(described.input);
    input.properties.take(properties_.content);  // the file's own count
    if (!file.name.empty() || action.creates()) input.properties.emplace(properties_.name, file.name);
    input.properties.emplace(properties_.type, file.content_type.empty() ? Value(Null{}) : Value(file.content_type));
    input.properties.emplace(properties_.size, static_cast<std::int64_t>(file.content.size()));
    for (const auto& [property, value] : input.properties) {
      if (auto fits = change_.set(handle, *property, value); !fits) return fits;  // lengths, UTF-8
    }
    if (action.updates()) return replace_bytes(handle, action, input, file.content);
    change_.hold_events();  // whoever is told of the file finds it whole
    CALLISTO_CHECK(change_.perform(handle, action, input));
    CALLISTO_CHECK(context_.model.store.write_bytes(context_.connection, change_.record(handle), *properties_.content,
                                                    file.content));
    return change_.release_events();
  }

  // Other bytes are a change, though name, type and size stay. They come back: all of it may run again.
  Result<void> replace_bytes(Change::Handle handle, const Action& action, Input& input, std::string& bytes) {
    input.properties.emplace(properties_.content, Binary{std::move(bytes)});
    auto done = change_.perform(handle, action, input);
    bytes = std::get<Binary>(input.properties.take(properties_.content)).bytes;
    return done;
  }

  const Context& context_;
  Change& change_;
  const FilePlace& place_;
  const std::size_t most_bytes_;
  const WriteRequest& request_;
  FileProperties properties_;
  Change::Handle parent_ = 0;
};

}  // namespace

std::optional<FileProperties> file_properties(const Entity& entity) {
  const FileProperties found{entity.find_property(system::file_name), entity.find_property(system::file_type),
                             entity.find_property(system::file_size), entity.find_property(system::file_content)};
  if (found.name && found.type && found.size && found.content) return found;
  return std::nullopt;
}

Result<void> check_may_change(const Context& context, const Entity& entity, std::int64_t key) {
  CALLISTO_TRY(const auto record, find_visible(context, entity, key));
  if (!record) return not_visible(entity);
  RuleCheck rules(context);
  CALLISTO_CHECK(allowed_update(rules, *record));
  return {};
}

Result<std::vector<const Action*>> file_actions(const Context& context, const Entity& parent, std::int64_t key,
                                                const Record& file) {
  std::vector<const Action*> actions;
  if (is_deleted(file)) return actions;
  CALLISTO_TRY(const auto record, find_visible(context, parent, key));
  const Action* update = record ? record->entity().find_action("update") : nullptr;
  if (!update) return actions;
  RuleCheck rules(context);
  CALLISTO_TRY(const bool allowed, rules.allows(*record, *update));
  if (!allowed) return actions;
  const bool is_user = context.session.type == auth::SessionType::User;
  CALLISTO_TRY(const bool offered,
               is_user ? rules.offers(*record, *update) : rules.offers_in_any_state(*record, *update));
  if (!offered) return actions;
  for (const char* name : {"update", "delete"}) {
    const Action* action = file.entity().find_action(name);
    if (!action) continue;
    CALLISTO_TRY(const bool may, is_user ? rules.allows(file, *action) : Result<bool>(true));
    if (may) actions.push_back(action);
  }
  return actions;
}

Error file_too_large(std::size_t most) {
  constexpr std::size_t mib = std::size_t{1024} * 1024;
  const bool whole = most >= mib && most % mib == 0;
  return bad_format("A file may have at most " + std::to_string(whole ? most / mib : most) +
                    (whole ? " MiB." : " bytes."));
}

Result<AddedFiles> add_files(Writer& writer, const FilePlace& place, const WriteRequest& request,
                             std::vector<NewFile> files, const std::optional<RepeatKey>& repeat) {
  AddedFiles added;
  CALLISTO_CHECK(writer.write(
      request.session,
      [&](const Context& context, Change& change) -> Result<void> {
        added = {};
        CALLISTO_TRY(const auto first, writer.find_answer(context, repeat));
        if (first) added = {{first->key}, true};
        if (first) return {};
        Files below(writer, context, change, place, request);
        CALLISTO_CHECK(below.open_parent());
        if (files.empty()) {
          CALLISTO_TRY(const std::int64_t key, below.add_described());
          added.keys.push_back(key);
        }
        for (NewFile& file : files) {
          CALLISTO_TRY(const std::int64_t key, below.add(file));
          added.keys.push_back(key);
        }
        return writer.keep_answer(context, repeat, {place.list->entity->name, added.keys.front()});
      },
      request.cause));
  return added;
}

Result<void> change_file(Writer& writer, const FilePlace& place, const WriteRequest& request,
                         std::optional<NewFile> file) {
  return writer.write(
      request.session,
      [&](const Context& context, Change& change) -> Result<void> {
        Files below(writer, context, change, place, request);
        CALLISTO_CHECK(below.open_parent());
        CALLISTO_TRY(const Change::Handle handle, below.open_file("update"));
        return below.change(handle, file);
      },
      request.cause);
}

Result<void> remove_file(Writer& writer, const FilePlace& place, const WriteRequest& request) {
  return writer.write(
      request.session,
      [&](const Context& context, Change& change) -> Result<void> {
        Files below(writer, context, change, place, request);
        CALLISTO_CHECK(below.open_parent());
        CALLISTO_TRY(const Change::Handle handle, below.open_file("delete"));
        return below.remove(handle);
      },
      request.cause);
}

Result<void> set_bytes(Writer& writer, const Entity& entity, std::int64_t key, const Property& property,
                       const WriteRequest& request, std::optional<std::string> bytes) {
  return writer.write(
      request.session,
      [&](const Context&, Change& change) -> Result<void> {
        CALLISTO_TRY(const Change::Handle handle, change.open(entity, key));
        CALLISTO_CHECK(check_allowed(change, handle));
        CALLISTO_TRY(const RecordFields fields, change.rules().fields(change.record(handle)));
        if (fields.hides(property)) return resource_not_found("There is nothing at this path.");
        if (fields.fixes(property)) return forbidden(property.name + ": is read-only for this session.");
        if (bytes && bytes->size() > writer.most_file_bytes()) return file_too_large(writer.most_file_bytes());
        CALLISTO_CHECK(check_version(change.record(handle), request.if_match));
        Input input;
        input.properties.emplace(&property, bytes ? Value(Binary{*bytes}) : Value(Null{}));
        return change.perform(handle, *change.entity(handle).find_action("update"), input);
      },
      request.cause);
}

}  // namespace callisto::records
