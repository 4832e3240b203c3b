// callisto webhook list, test, redeliver and preview.
#include "engine/app/commands.h"
#include "engine/app/opening/load.h"
#include "engine/app/opening/with_desk.h"
#include "engine/app/serving/webhook_records.h"
#include "engine/app/version.h"
#include "engine/base/sealer.h"
#include "webhooks/body.h"
#include "webhooks/message_id.h"
#include "webhooks/payload.h"
#include "webhooks/preview.h"
#include "webhooks/queue.h"
#include "webhooks/signer.h"

#include <cstdio>

namespace callisto::app {

namespace {

std::string beside_server(const Settings& settings, const std::string& call) {
  return "ask it: PUT " + settings.api_root + "/" + settings.api_versions.front() + "/" + call +
         ", as somebody with the right Integration";
}

// Whether it is switched on; an error where there is none.
Result<bool> is_active(storage::Connection& connection, std::int64_t ref) {
  static const Sql sql("SELECT \"Active\" FROM \"webhook\" WHERE \"Ref\" = ?1 AND \"IsDeleted\" = 0");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(ref)}));
  CALLISTO_TRY(const bool found, row->step());
  if (found) return row->integer(0) != 0;
  return bad_format("there is no webhook " + std::to_string(ref) + "; callisto webhook list shows them");
}

Result<webhooks::NewDelivery> redelivery_of(storage::Connection& connection, std::int64_t ref) {
  static const Sql sql(
      "SELECT d.\"Webhook\", d.\"MessageId\", d.\"Event\", d.\"CoreEntityType\", d.\"EntityType\", d.\"EntityRef\", "
      "d.\"BodyRef\", d.\"Hops\", d.\"Status\", b.id, u.delivery FROM \"webhook_delivery\" d "
      "LEFT JOIN webhook_body b ON b.id = d.\"BodyRef\" LEFT JOIN webhook_unmade u ON u.delivery = d.\"Ref\" WHERE "
      "d.\"Ref\" = ?1");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(ref)}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return bad_format("there is no delivery " + std::to_string(ref));
  if (row->text(8) == "P" || row->text(8) == "R")
    return bad_format("delivery " + std::to_string(ref) + " is still on its way");
  if (row->is_null(9) && !row->is_null(10))
    return bad_format("the payload of delivery " + std::to_string(ref) +
                      " was never made; start the server and send it again there, which makes it");
  if (row->is_null(9)) return bad_format("the body of delivery " + std::to_string(ref) + " is no longer kept");
  webhooks::NewDelivery delivery;
  delivery.webhook = row->integer(0);
  delivery.message_id = row->text(1);
  delivery.event = row->text(2);
  delivery.core_entity_type = row->text(3);
  delivery.entity_type = row->text(4);
  if (!row->is_null(5)) delivery.entity_ref = row->integer(5);
  delivery.body = row->integer(6);
  delivery.hops = static_cast<int>(row->integer(7));
  delivery.redelivery_of = ref;
  return delivery;
}

}  // namespace

int webhook_list(const Settings& settings) {
  return read_desk(settings, [](storage::Connection& connection) -> Result<void> {
    static const Sql sql(
        "SELECT w.\"Ref\", w.\"Name\", w.\"PayloadUrl\", w.\"CoreEntityType\", w.\"Active\", w.\"Status\", "
        "w.\"LastDeliveryDate\", (SELECT COUNT(*) FROM \"webhook_delivery\" d WHERE d.\"Webhook\" = w.\"Ref\" AND "
        "d.\"Status\" IN ('P', 'R')) FROM \"webhook\" w WHERE w.\"IsDeleted\" = 0 ORDER BY w.\"Ref\"");
    CALLISTO_TRY(const auto row, connection.query(sql, {}));
    std::vector<std::vector<std::string>> rows;
    for (;;) {
      CALLISTO_TRY(const bool more, row->step());
      if (!more) break;
      rows.push_back({std::to_string(row->integer(0)), std::string(row->text(1)), std::string(row->text(2)),
                      std::string(row->text(3)), row->integer(4) != 0 ? "yes" : "no", std::string(row->text(5)),
                      std::to_string(row->integer(7)), row->is_null(6) ? "-" : to_iso8601(DateTime{row->integer(6)})});
    }
    print_table({"REF", "NAME", "URL", "OF", "ACTIVE", "STATUS", "WAITING", "LAST DELIVERY"}, rows);
    return {};
  });
}

int webhook_test(const Settings& settings, const WebhookOptions& options) {
  const std::string number = std::to_string(options.ref);
  const auto ping = [&](storage::Connection& connection, const records::Model&, DateTime now,
                        Random& random) -> Result<void> {
    CALLISTO_TRY(const bool active, is_active(connection, options.ref));
    if (!active)
      return bad_format("webhook " + number + " is switched off and gets nothing; start the server, set Active to " +
                        "true by PUT webhook/" + number + ", and test it there");
    webhooks::NewDelivery delivery;
    delivery.webhook = options.ref;
    delivery.message_id = webhooks::message_id(now, random);
    delivery.event = "Ping";
    CALLISTO_TRY(delivery.body, webhooks::keep_body(connection, webhooks::ping_body(options.ref), now));
    CALLISTO_CHECK(webhooks::enqueue(connection, delivery, now, random));
    return {};
  };
  const int status = change_desk(settings, noted(audit::Kind::WebhookChanged, "webhook", "test", number), ping,
                                 beside_server(settings, "webhook/" + number + "/test"));
  if (status == 0) std::printf("a Ping waits for webhook %s; it is sent when the server runs\n", number.c_str());
  return status;
}

int webhook_redeliver(const Settings& settings, const WebhookOptions& options) {
  const std::string number = std::to_string(options.ref);
  const auto again = [&](storage::Connection& connection, const records::Model&, DateTime now,
                         Random& random) -> Result<void> {
    CALLISTO_TRY(const webhooks::NewDelivery delivery, redelivery_of(connection, options.ref));
    CALLISTO_CHECK(is_active(connection, delivery.webhook));  // active or not: as the API's redeliver
    CALLISTO_CHECK(webhooks::enqueue(connection, delivery, now, random));
    return {};
  };
  const int status =
      change_desk(settings, noted(audit::Kind::WebhookRedelivered, "webhook-delivery", "redeliver", number), again,
                  beside_server(settings, "webhook-delivery/" + number + "/redeliver"));
  if (status == 0) std::printf("delivery %s waits to be sent again; it is sent when the server runs\n", number.c_str());
  return status;
}

int webhook_preview(const Settings& settings, const WebhookOptions& options) {
  const SystemClock clock;
  SystemRandom random;
  const auto model = load_model(settings, clock, random);
  if (!model) return 1;
  return read_desk(settings, [&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(const Sealer sealer, Sealer::from_file(settings.data + "/secret.key", random));
    CALLISTO_TRY(auto scripts, script::State::create(model->program, script_budget(settings), clock, random));
    WebhookRenderer renderer(*model, std::move(scripts), settings.api_versions.front());
    const auto desk = make_webhook_records({renderer.model, *renderer.scripts, renderer.text, connection, nullptr});
    const webhooks::PreviewRequest request{options.ref,
                                           options.entity,
                                           options.key,
                                           options.event,
                                           std::nullopt,
                                           clock.now(),
                                           settings.webhook_attachments};
    CALLISTO_TRY(const std::string shown,
                 webhooks::preview(request, {version(), webhooks::sign, sealer}, connection, *desk));
    std::printf("%s\n", shown.c_str());
    return {};
  });
}

}  // namespace callisto::app
