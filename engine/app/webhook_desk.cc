#include "engine/app/webhook_desk.h"

#include "engine/records/file_list.h"
#include "engine/records/files.h"

#include <utility>

namespace callisto::app {

namespace {

class WebhookDesk final : public webhooks::Desk {
 public:
  WebhookDesk(WebhookRenderer& renderer, storage::Connection& connection)
      : renderer_(renderer), connection_(connection) {}

  const catalog::Catalog& catalog() const override { return renderer_.model.catalog(); }
  Result<void> check_select(const catalog::Entity& entity, std::string_view select) override {
    return renderer_.text.check_select(entity, select);
  }
  Result<void> check_filter(const catalog::Entity& entity, std::string_view filter) override {
    return renderer_.text.check_filter(entity, filter);
  }

  Result<bool> satisfies(const webhooks::Subject& subject, std::string_view filter) override {
    if (filter.empty()) return true;
    const auth::Session session = session_of(subject);
    return renderer_.text.satisfies(context(session), *subject.entity, subject.key, filter);
  }

  Result<webhooks::Columns> columns(const webhooks::Subject& subject, std::string_view select) override {
    const auth::Session session = session_of(subject);
    CALLISTO_TRY(auto text, renderer_.text.render(context(session), *subject.entity, subject.key, select));
    return webhooks::Columns{std::move(text.json), std::move(text.html)};
  }

  Result<std::vector<webhooks::Attachment>> attachments(const webhooks::Subject& subject) override {
    CALLISTO_TRY(auto files, records::list_files(connection_, *subject.entity, subject.key));
    std::vector<webhooks::Attachment> all;
    for (records::ListedFile& file : files)
      all.push_back({file.key, std::move(file.name), std::move(file.content_type), file.size, file.changed});
    return all;
  }

  Result<std::optional<std::string>> content(const webhooks::Subject& subject, std::int64_t attachment) override {
    return records::read_file(connection_, *subject.entity, subject.key, attachment);
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
                     {event.key, text(properties.name), text(properties.type), bytes ? *bytes : 0, event.time}};
  }

 private:
  // Whoever made the change, seeing everything.
  static auth::Session session_of(const webhooks::Subject& subject) {
    auth::Session session;
    session.type = auth::SessionType::Analyst;
    session.person = subject.person;
    return session;
  }
  records::Context context(const auth::Session& session) {
    return {renderer_.model, session, connection_, *renderer_.scripts};
  }

  WebhookRenderer& renderer_;
  storage::Connection& connection_;
};

}  // namespace

std::unique_ptr<webhooks::Desk> make_webhook_desk(WebhookRenderer& renderer, storage::Connection& connection) {
  return std::make_unique<WebhookDesk>(renderer, connection);
}

}  // namespace callisto::app
