return action "redeliver" {
  title       = "Redeliver",
  description = "Sends the same body under the same id once more, signed with the present secret; the answer is the "
    .. "new delivery.",
  allowed     = { Integration = "Webhook.Owner == @UserId", Administration = true },  -- no mutant: others see no delivery
  offered     = 'Status != "P" && Status != "R"',
  run = function(delivery)
    local webhook = desk.find("webhook", delivery.Webhook)
    if not webhook or webhook.IsDeleted then reject "The webhook of this delivery is deleted." end
    return desk.create("webhook-delivery", {
      Webhook = delivery.Webhook, MessageId = delivery.MessageId, Event = delivery.Event,
      CoreEntityType = delivery.CoreEntityType, EntityType = delivery.EntityType, EntityRef = delivery.EntityRef,
      Hops = delivery.Hops, BodyRef = delivery.BodyRef, NextAttempt = datetime.now(), Redelivery = true,
      RedeliveryOf = delivery.Ref,
    })
  end,
}
