describe("a person", function()
  it("needs a last name, and is called by both names", function(desk)
    expect(desk):refuses("create", "person", { FirstName = "Ada" }, "LastName")
    expect(desk:create("person", { FirstName = "Ada", LastName = "Lovelace" }).Name):equals "Ada Lovelace"
    expect(desk:create("person", { LastName = "Lovelace" }).Name):equals "Lovelace"
  end)

  it("has a login of its own, in capitals", function(desk)
    expect(desk:create("person", { LastName = "Lovelace", LoginId = "ada" }).LoginId):equals "ADA"
    expect(desk):refuses("create", "person", { LastName = "Other", LoginId = "Ada" }, "ADA is taken")
    expect(desk):refuses("create", "person", { LastName = "Other", LoginId = " ada " }, "ADA is taken")
    expect(desk):refuses("create", "person", { LastName = "Other", LoginId = "  " }, "LoginId")
    expect(desk:create("person", { LastName = "Hopper", LoginId = " grace\t" }).LoginId):equals "GRACE"
  end)

  it("is deactivated and activated", function(desk)
    local person = desk:as("admin"):create("person", { LastName = "Lovelace", IsActive = true })
    expect(person):withholds "activate"
    person:deactivate()
    expect(person.IsActive):is_false()
    expect(person):raised "Deactivated"
    expect(person):withholds "deactivate"
    person:activate()
    expect(person.IsActive):is_true()
    expect(person):raised "Activated"
  end)

  it("cannot shut itself out", function(desk)
    local me = desk:as("admin").me
    expect(me):withholds("deactivate", "delete")
    expect(me):refuses("update", { IsActive = false }, "nobody shuts himself out")
    expect(desk.me):withholds("deactivate", "delete")
    expect(desk.me):refuses("update", { IsActive = false }, 403)
  end)

  it("cannot sign in while it is not active", function(desk)
    desk:as("admin"):find("person", desk:as("user").me.Ref):deactivate()
    expect(function() desk:as("user"):create("call", { ShortDescription = "Printer" }) end):fails "may not hold a session"
  end)

  it("is not deleted while others refer to it", function(desk)
    expect(desk:as("admin"):find("person", desk:as("user").me.Ref)):refuses("delete", "400 NotAllowed")
    local person = desk:create("person", { LastName = "Lovelace" })
    local call = desk:create("call", { ShortDescription = "Printer", User = person })
    expect(person:as "admin"):refuses("delete", "call " .. call.Ref .. " (User) refers to it")
  end)

  it("stays stored when it is deleted", function(desk)
    local person = desk:create("person", { LastName = "Lovelace" })
    person:as("admin"):delete()
    expect(desk:find("person", person.Ref)):is_nil()
    expect(#desk:search("person", "@IsDeleted && Ref == " .. person.Ref)):equals(1)
  end)
end)

describe("who may sign in, and as what", function()
  local function administrator(desk) return desk:find("person", desk:as("admin").me.Ref) end

  it("is not for analysts to change", function(desk)
    for _, person in ipairs { administrator(desk), desk.me, desk:create("person", { LastName = "Lovelace" }) } do
      for _, name in ipairs { "IsActive", "IsAnalyst", "IsUser" } do
        expect(person):refuses("update", { [name] = not person[name] }, name .. ": only administrators change it")
      end
      expect(person):refuses("update", { LoginId = "SOMEBODY" }, 403)
      expect(person):refuses("update", { LoginId = null, IsActive = not person.IsActive }, 403)
      for _, name in ipairs { "activate", "deactivate", "delete" } do expect(person):refuses(name, {}, 403) end
      expect(person):withholds("activate", "deactivate", "delete", person ~= desk.me and "set-password" or nil)
    end
    expect(administrator(desk)):has { LoginId = "ADMIN", IsActive = true, IsAnalyst = true }
  end)

  it("does not change beside another action either", function(desk)
    expect(desk.me):refuses("set-password",
      { Password = "analytical", CurrentPassword = "callisto", LoginId = "SOMEBODY" }, "only administrators")
  end)

  it("leaves what else is known of a person to analysts", function(desk)
    local person = administrator(desk)
    person:update { Phone = "+43 1 5550110", Email = "a@example.org", Organization = 2, LoginId = "admin", IsActive = true }
    expect(person):has { Phone = "+43 1 5550110", Organization = 2 }
    expect(person):offers "update"
  end)

  it("lets analysts put contacts on record, not analysts", function(desk)
    expect(desk:create("person", { LastName = "Lovelace", LoginId = "ada" })):has { IsUser = true, IsAnalyst = false }
    expect(desk):refuses("create", "person", { LastName = "Lovelace", IsAnalyst = true }, "only administrators")
    expect(desk:as("admin"):create("person", { LastName = "Lovelace", IsAnalyst = true }).IsAnalyst):is_true()
  end)

  it("is for administrators to change", function(desk)
    local person = desk:as("admin"):create("person", { LastName = "Lovelace" })
    person:update { LoginId = "ada", IsAnalyst = true, IsUser = false, IsActive = false }
    expect(person):has { LoginId = "ADA", IsAnalyst = true, IsUser = false, IsActive = false }
    expect(person):offers("activate", "delete", "set-password")
  end)
end)

describe("users", function()
  it("see their own profile alone", function(desk)
    local user = desk:as "user"
    expect(user:find("person", user.me.Ref)):equals(user.me)
    expect(user:find("person", desk.me.Ref)):is_nil()
  end)

  it("change their own profile, but not what the desk says of them", function(desk)
    local me = desk:as("user").me
    me:update { Phone = "+43 1 5550110" }
    expect(me.Phone):equals "+43 1 5550110"
    for _, name in ipairs { "IsVip", "IsAnalyst", "IsActive" } do
      expect(me):refuses("update", { [name] = not me[name] }, "only the desk changes it")
    end
    expect(me):refuses("update", { LoginId = "ADMIN2" }, "only the desk changes it")
    for _, name in ipairs { "FirstName", "LastName" } do
      expect(me):refuses("update", { [name] = "Administrator" }, name .. ": only the desk changes it")
      expect(me):refuses("update", { Phone = "1", [name] = null })
      expect(desk:as("analyst", "User").me):refuses("update", { [name] = "Administrator" }, 403)
    end
    expect(me:as("analyst")):offers "update"
    me:as("analyst"):update { FirstName = "Mary" }
    expect(me.Name):equals "Mary Huber"
  end)
end)

describe("setting a password", function()
  it("needs one of at least 8 characters", function(desk)
    local other = desk:as("admin"):create("person", { LastName = "Lovelace", LoginId = "ada" })
    expect(other):refuses("set-password", {}, "Password")
    expect(other):refuses("set-password", { Password = "short" }, "at least 8")
  end)

  it("needs the current one for oneself", function(desk)
    local me = desk:as("user").me
    me:as("admin"):set_password { Password = "difference" }
    expect(me):refuses("set-password", { Password = "analytical" }, "CurrentPassword")
    expect(me):refuses("set-password", { Password = "analytical", CurrentPassword = "wrong-one" }, "CurrentPassword")
    me:set_password { Password = "analytical", CurrentPassword = "difference" }
    expect(me):raised "PasswordChanged"
  end)

  it("of others is for administrators", function(desk)
    expect(desk:as("user").me:as "analyst"):refuses("set-password", { Password = "analytical" }, 403)
  end)

  scenario {
    "never returns it",
    as      = "admin",
    given   = { person = { LastName = "Lovelace", IsActive = true } },
    request = "PUT person/{person}/set-password",
    body    = { Password = "analytical" },
    status  = 200,
    expect  = { LastName = "Lovelace" },
    absent  = { "Password", "PasswordHash", "CurrentPassword" },
    events  = { "PasswordChanged" },
  }
end)

it("a person may not take a login that somebody has", function(desk)
  local person = desk:create("person", { LastName = "Lovelace", LoginId = "ada" })
  expect(person:as "admin"):refuses("update", { LoginId = "analyst2" }, 400)
  person:update { LastName = "King" }
  expect(person):has { LoginId = "ADA" }
end)
