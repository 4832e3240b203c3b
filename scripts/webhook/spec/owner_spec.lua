-- Who may do what with a webhook and its deliveries. An integrator is an analyst with the right Integration.
local function integrator(desk, name)
  local admin = desk:as "admin"
  local role = admin:create("role", { Name = "Integration of " .. name, Rights = "Integration" })
  admin:create("person-role", { Person = desk:as(name).me, Role = role.Ref })
  return desk:as(name)
end

local function webhook_of(desk, owner, values)
  local all = { PayloadUrl = "https://hook.example/", Secret = "a long random text", CoreEntityType = "Call", Active = true,
                Owner = owner }
  for name, value in pairs(values or {}) do all[name] = value end
  return desk:webhook(all)
end

local works = { "update", "delete", "test", "rotate-secret", "redeliver-failed" }

describe("a webhook", function()
  for _, work in ipairs(works) do
    it("offers " .. work .. " to its owner and to administrators, to nobody else", function(desk)
      local owner, other = integrator(desk, "analyst"), integrator(desk, "analyst2")
      local webhook = webhook_of(desk, owner.me)
      expect(owner:find("webhook", webhook.Ref)):offers(work)
      expect(desk:as("admin"):find("webhook", webhook.Ref)):offers(work)
      expect(other:find("webhook", webhook.Ref)):withholds(work)
    end)

    it("offers " .. work .. " to every integrator while nobody owns it", function(desk)
      local other = integrator(desk, "analyst2")
      expect(other:find("webhook", webhook_of(desk, nil).Ref)):offers(work)
    end)
  end

  it("tells of what is done to it", function(desk)
    local admin = desk:as "admin"
    local webhook = admin:find("webhook", webhook_of(desk, admin.me).Ref)
    webhook:update { Name = "Calls" }
    expect(webhook):raised "Updated"
    webhook:rotate_secret {}
    expect(webhook):raised "SecretRotated"
    webhook:hand_over { Owner = integrator(desk, "analyst").me }
    expect(webhook):raised "HandedOver"
    webhook:delete()
    expect(webhook):raised "Deleted"
  end)

  it("takes a test while it is active", function(desk)
    local admin = desk:as "admin"
    expect(admin:find("webhook", webhook_of(desk, admin.me).Ref)):offers "test"
    expect(admin:find("webhook", webhook_of(desk, admin.me, { Active = false }).Ref)):withholds "test"
    admin:find("webhook", webhook_of(desk, admin.me).Ref):test()
    expect(desk):raised "Created"
  end)
end)

describe("a delivery", function()
  local function delivery_of(desk, webhook, values)
    local all = { Webhook = webhook.Ref, MessageId = "msg_1", Event = "Ping", Status = "F" }
    for name, value in pairs(values or {}) do all[name] = value end
    return desk:webhook_delivery(all)
  end

  it("is there for the webhook's owner and for administrators", function(desk)
    local owner, other = integrator(desk, "analyst"), integrator(desk, "analyst2")
    local delivery = delivery_of(desk, webhook_of(desk, owner.me))
    local question = "Ref == " .. delivery.Ref
    expect(owner.count("webhook-delivery", question)):equals(1)
    expect(desk:as("admin").count("webhook-delivery", question)):equals(1)
    expect(other.count("webhook-delivery", question)):equals(0)
    expect(desk:as("user"):get("webhook-delivery")):has { status = 403 }
  end)

  it("is sent again by the webhook's owner and by administrators", function(desk)
    local owner = integrator(desk, "analyst")
    local own = owner:find("webhook-delivery", delivery_of(desk, webhook_of(desk, owner.me)).Ref)
    local foreign = desk:as("admin"):find("webhook-delivery", delivery_of(desk, webhook_of(desk, desk:as("admin").me)).Ref)
    expect(own):offers "redeliver"
    expect(foreign):offers "redeliver"
    expect(own:redeliver()):has { RedeliveryOf = own.Ref, MessageId = own.MessageId }
  end)

  for status, is_over in pairs { P = false, R = false, F = true, D = true } do
    it(is_over and "is sent again once its end is " .. status or "is not sent again while its status is " .. status, function(desk)
      local admin = desk:as "admin"
      local delivery = admin:find("webhook-delivery", delivery_of(desk, webhook_of(desk, admin.me), { Status = status }).Ref)
      if is_over then expect(delivery):offers "redeliver" else expect(delivery):withholds "redeliver" end
    end)
  end

  it("is not sent again for a webhook that is deleted", function(desk)
    local admin = desk:as "admin"
    local webhook = admin:find("webhook", webhook_of(desk, admin.me).Ref)
    local delivery = admin:find("webhook-delivery", delivery_of(desk, webhook).Ref)
    webhook:delete()
    expect(delivery):refuses("redeliver", "is deleted")
  end)
end)

describe("a line about attachments that a payload brought", function()
  it("is there for the webhook's owner and for administrators", function(desk)
    local owner, other = integrator(desk, "analyst"), integrator(desk, "analyst2")
    local line = desk:webhook_log { Webhook = webhook_of(desk, owner.me).Ref }
    local question = "Ref == " .. line.Ref
    expect(owner.count("webhook-log", question)):equals(1)
    expect(desk:as("admin").count("webhook-log", question)):equals(1)
    expect(other.count("webhook-log", question)):equals(0)
  end)
end)

describe("a preview", function()
  for _, missing in ipairs { "Entity", "Ref", "Event" } do
    it("needs " .. missing, function(desk)
      local admin = desk:as "admin"
      local webhook, given = webhook_of(desk, admin.me), { Entity = "incident", Ref = 1, Event = "Created" }
      given[missing] = nil
      expect(admin:put("webhook/" .. webhook.Ref .. "/preview", given)):has { status = 400 }
    end)
  end
end)
