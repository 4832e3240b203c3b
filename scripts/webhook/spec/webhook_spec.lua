describe("a webhook", function()
  local function new()
    return { PayloadUrl = "https://hook.example/", Secret = "a long random text", CoreEntityType = "Call" }
  end
  local function integrator(desk, name)
    local admin = desk:as "admin"
    local role = admin:create("role", { Name = name, Rights = "Integration" })
    admin:create("person-role", { Person = desk:as(name).me, Role = role.Ref })
    return desk:as(name)
  end

  it("belongs to who makes it, whoever edits it", function(desk)
    local webhook = integrator(desk, "analyst"):create("webhook", new())
    expect(webhook.Owner):equals(desk:as("analyst").me)
    expect(desk:as("admin"):find("webhook", webhook.Ref):update { Name = "edited" }.Owner):equals(desk:as("analyst").me)
  end)

  it("has a secret made for it where it is given none", function(desk)
    local given = new()
    given.Secret = nil
    expect(desk:as("admin"):create("webhook", given).Secret ~= nil):is_true()
  end)

  it("is handed over by administrators alone", function(desk)
    local webhook = integrator(desk, "analyst"):create("webhook", new())
    local other = integrator(desk, "analyst2"):find("webhook", webhook.Ref)
    expect(other):withholds("update", "delete", "test", "rotate-secret", "redeliver-failed", "hand-over")
    expect(webhook):withholds "hand-over"
    local handed = desk:as("admin"):find("webhook", webhook.Ref):act("hand-over", { Owner = desk:as("analyst2").me })
    expect(handed.Owner):equals(desk:as("analyst2").me)
  end)
end)
