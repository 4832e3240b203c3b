#include "engine/app/serving/webhook_records.h"

#include "engine/app/serving/webhook_owner.h"
#include "engine/records/file_list.h"
#include "engine/records/files.h"
#include "engine/records/visible.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace callisto::app {

namespace {

// What both may: of an analyst's session with these rights, in these partitions.
auth::Session shared(auth::Session owner, const auth::Session& viewer) {
  if (viewer.type != owner.type) owner.rights.clear();
  std::erase_if(owner.rights, [&](const std::string& right) { return !viewer.may(right); });
  if (!viewer.partitions) return owner;
  if (!owner.partitions) owner.partitions = viewer.partitions;
  std::erase_if(*owner.partitions, [&](std::int64_t each) {
    return !std::binary_search(viewer.partitions->begin(), viewer.partitions->end(), each);
  });
  return owner;
}

class WebhookDesk final : public webhooks::RecordSource {
 public:
  explicit WebhookDesk(const WebhookEyes& eyes) : eyes_(eyes) {}

  const catalog::Catalog& catalog() const override { return eyes_.model.catalog(); }
  Result<void> check_select(std::optional<std::int64_t> owner, const catalog::Entity& entity,
                            std::string_view select) override {
    CALLISTO_TRY(const query::Fields* fields, fields_of(owner));
    return eyes_.text.check_select(entity, select, fields);
  }
  Result<void> check_filter(std::optional<std::int64_t> owner, const catalog::Entity& entity,
                            std::string_view filter) override {
    CALLISTO_TRY(const query::Fields* fields, fields_of(owner));
    return eyes_.text.check_filter(entity, filter, fields);
  }

  Result<std::string> why_silent(std::optional<std::int64_t> owner) override {
    CALLISTO_TRY(const OwnerSession* found, session_of(owner));
    return found->problem;
  }

  Result<bool> satisfies(const webhooks::Subject& subject, std::string_view filter) override {
    CALLISTO_TRY(const OwnerSession* owner, session_of(subject.owner));
    if (!owner->session) return false;
    CALLISTO_TRY(const bool visible, viewer_sees(subject));
    if (!visible) return false;
    auth::Session changer;
    changer.type = auth::SessionType::Analyst;
    changer.person = subject.person;
    auto holds = eyes_.text.satisfies(context(*owner->session), context(changer), *subject.entity, subject.key, filter);
    if (!holds && holds.error().status == 400 && limits_fields(*owner->session)) return false;  // it may not name that
    return holds;
  }

  Result<webhooks::Columns> columns(const webhooks::Subject& subject, std::string_view select) override {
    CALLISTO_TRY(const OwnerSession* owner, session_of(subject.owner));
    CALLISTO_TRY(const bool visible, viewer_sees(subject));
    if (!owner->session || !visible) return records::not_visible(*subject.entity);
    auto text = eyes_.text.render(context(*owner->session), *subject.entity, subject.key, select);
    if (!text && text.error().status == 400 && limits_fields(*owner->session))
      return records::not_visible(*subject.entity);
    if (!text) return std::move(text).error();
    return webhooks::Columns{std::move(text->json), std::move(text->html)};
  }

  Result<std::vector<webhooks::Attachment>> attachments(const webhooks::Subject& subject) override {
    CALLISTO_TRY(auto files, records::list_files(eyes_.connection, *subject.entity, subject.key));
    std::vector<webhooks::Attachment> all;
    if (files.empty()) return all;
    CALLISTO_TRY(const auto seen, seen_files(subject));
    CALLISTO_TRY(const bool whole, sees_whole_files(subject));
    for (records::ListedFile& file : files)
      if (whole && seen.contains(file.key))
        all.push_back({file.key, std::move(file.name), std::move(file.content_type), file.size, file.changed,
                       webhooks::source_of(*file.content), file.stored});
    return all;
  }

  Result<bool> sees_file(const webhooks::Subject& subject, std::int64_t attachment) override {
    CALLISTO_TRY(const auto seen, seen_files(subject));
    CALLISTO_TRY(const bool whole, sees_whole_files(subject));
    return whole && seen.contains(attachment);
  }

  std::optional<FileEvent> file_event(const events::Event& event) override {
    const auto owner = records::owner_of_file(catalog(), *event.entity, *event.record);
    if (!owner) return std::nullopt;
    const records::FileProperties properties = *records::file_properties(*event.entity);
    const auto text = [&](const catalog::Property* property) {
      const auto value = event.record->find(property);
      const auto* found = value == event.record->end() ? nullptr : std::get_if<std::string>(&value->second);
      return found ? *found : std::string();
    };
    const auto size = event.record->find(properties.size);
    const auto* bytes = size == event.record->end() ? nullptr : std::get_if<std::int64_t>(&size->second);
    return FileEvent{owner->entity,
                     owner->key,
                     {event.key, text(properties.name), text(properties.type), bytes ? *bytes : 0, event.time, {}, 0}};
  }

 private:
  // Read once for this desk; with a viewer, what both may.
  Result<const OwnerSession*> session_of(std::optional<std::int64_t> owner) {
    if (const auto known = owners_.find(owner); known != owners_.end()) return &known->second;
    CALLISTO_TRY(OwnerSession found, owner_session(eyes_.connection, owner));
    if (found.session && eyes_.viewer) found.session = shared(*std::move(found.session), *eyes_.viewer);
    return &owners_.emplace(owner, std::move(found)).first->second;
  }

  Result<const query::Fields*> fields_of(std::optional<std::int64_t> owner) {
    CALLISTO_TRY(const OwnerSession* found, session_of(owner));
    return found->session ? records::fields_of(context(*found->session).access) : nullptr;
  }
  bool limits_fields(const auth::Session& session) { return records::fields_of(context(session).access) != nullptr; }

  // What is told of a file is its name, type, size and bytes: who may not read all of these is told of none.
  Result<bool> sees_whole_files(const webhooks::Subject& subject) {
    CALLISTO_TRY(const query::Fields* fields, fields_of(subject.owner));
    if (!fields) return true;
    for (const catalog::SubResource& list : subject.entity->sub_resources) {
      const auto properties = records::file_properties(*list.entity);
      if (!properties) continue;
      for (const catalog::Property* each : {properties->name, properties->type, properties->size, properties->content})
        if (fields->find(*each)) return false;
    }
    return true;
  }

  // By rights that follow from who it is.
  Result<bool> viewer_sees(const webhooks::Subject& subject) {
    if (!eyes_.viewer) return true;
    const records::Context viewer = context(*eyes_.viewer);
    return eyes_.text.satisfies(viewer, viewer, *subject.entity, subject.key, {});
  }

  Result<std::set<std::int64_t>> seen_files(const webhooks::Subject& subject) {
    CALLISTO_TRY(const OwnerSession* owner, session_of(subject.owner));
    if (!owner->session) return std::set<std::int64_t>();
    return eyes_.text.files(context(*owner->session), *subject.entity, subject.key);
  }

  records::Context context(const auth::Session& session) {
    return {eyes_.model, session, eyes_.connection, eyes_.scripts};
  }

  const WebhookEyes eyes_;
  std::map<std::optional<std::int64_t>, OwnerSession> owners_;
};

}  // namespace

std::unique_ptr<webhooks::RecordSource> make_webhook_records(const WebhookEyes& eyes) {
  return std::make_unique<WebhookDesk>(eyes);
}

}  // namespace callisto::app
