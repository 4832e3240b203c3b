local function claims_of(login, groups, more)
  local claims = { sub = login .. "-7", preferred_username = login, family_name = "Lovelace", groups = groups }
  for name, value in pairs(more or {}) do claims[name] = value end
  return claims
end

local function roles_of(desk, person)
  local names = {}
  for _, row in ipairs(desk:as("admin").search("person-role", "Person == ?", person.Ref)) do
    table.insert(names, desk:as("admin").find("role", row.Role).Name)
  end
  table.sort(names)
  return names
end

describe("a first sign-in by the identity provider", function()
  it("makes a person of the staff, with a role by the group", function(desk)
    local ada = desk:sign_in(claims_of("ada", { "staff" }, { given_name = "Ada", email = "Ada@Example.org" }))
    expect(ada):has { LoginId = "ADA", Name = "Ada Lovelace", Email = "ada@example.org", IsAnalyst = false, IsActive = true }
    expect(ada):raised "Created"
    expect(roles_of(desk, ada)):equals { "User Vienna" }
  end)

  it("makes an analyst of who is in the group desk", function(desk)
    local ada = desk:sign_in(claims_of("ada", { "staff", "desk" }))
    expect(ada.IsAnalyst):is_true()
    expect(roles_of(desk, ada)):equals { "Analyst Vienna" }
    expect(desk:as("ada").me.Name):equals "Lovelace"
  end)

  it("refuses others with a sentence, and makes nobody", function(desk)
    local before = desk:count("person")
    for _, groups in ipairs { json.list {}, { "guests" }, { "Staff" }, "staffing", { { id = "staff", name = "Others" } } } do
      expect(function() desk:sign_in(claims_of("eve", groups)) end):fails "you are not in the group staff"
    end
    expect(function() desk:sign_in { sub = "7" } end):fails "you are not in the group staff"
    expect(desk:count("person")):equals(before)
  end)

  it("finds a person of the desk by login name, whatever its case", function(desk)
    local known = desk:as("user2").me
    expect(desk:sign_in(claims_of("uSeR2", { "staff" }))):equals(known)
    expect(known.LastName):equals "Lovelace"
  end)

  it("does not link a person with Administration by a claim alone", function(desk)
    expect(function() desk:sign_in(claims_of("admin", { "staff" })) end):fails "An administrator must first link this account"
  end)

  it("takes a name that belongs to another subject for nobody", function(desk)
    local ada = desk:sign_in(claims_of("ada", { "staff" }))
    expect(function() desk:sign_in(claims_of("ADA", { "staff" }, { sub = "another" })) end):fails "Nobody with the name"
    local there = { sub = "another", iss = "https://second.example" }
    expect(desk:sign_in(claims_of("ADA", { "staff" }, there))):equals(ada)
  end)

  it("says who must mend what the desk's rules refuse", function(desk)
    local long = ("x"):rep(100)
    expect(function() desk:sign_in(claims_of("ada", { "staff" }, { family_name = long })) end):fails "Tell your administrator"
  end)
end)

describe("a later sign-in by the identity provider", function()
  it("takes the role away whose group is gone, and leaves what an administrator gave", function(desk)
    local ada = desk:sign_in(claims_of("ada", { "staff", "desk" }))
    local given = desk:as("admin").first("role", 'Name == "Analyst Vienna and Gdańsk"')
    desk:as("admin"):create("person-role", { Person = ada.Ref, Role = given.Ref })
    expect(desk:sign_in(claims_of("ada", { "staff" }))):equals(ada)
    expect(roles_of(desk, ada)):equals { "Analyst Vienna and Gdańsk", "User Vienna" }
    expect(ada.IsAnalyst):is_false()
    desk:sign_in(claims_of("ada", { "staff", "desk" }))
    expect(roles_of(desk, ada)):equals { "Analyst Vienna", "Analyst Vienna and Gdańsk" }
  end)

  it("brings the person up to date, and is no change where nothing changed", function(desk)
    local ada = desk:sign_in(claims_of("ada", { "staff" }, { email = "ada@example.org" }))
    local version = ada.RecordVersion
    desk:sign_in(claims_of("ada", { "staff" }, { email = "ADA@example.org" }))
    expect(ada.RecordVersion):equals(version)
    expect(ada).never:raised "Updated"
    desk:sign_in(claims_of("ada", { "staff" }, { email = "ada@new.example" }))
    expect(ada.Email):equals "ada@new.example"
    expect(ada):raised "Updated"
  end)

  it("is the same person under a new login name, which the desk keeps as it was", function(desk)
    local ada = desk:sign_in(claims_of("ada", { "staff" }))
    local renamed = claims_of("countess", { "staff" }, { sub = "ada-7" })
    expect(desk:sign_in(renamed)):equals(ada)
    expect(ada.LoginId):equals "ADA"
  end)

  it("refuses who was deactivated here, linked or not", function(desk)
    local ada = desk:sign_in(claims_of("ada", { "staff" }))
    ada:as("admin"):deactivate()
    expect(function() desk:sign_in(claims_of("ada", { "staff" })) end):fails "Nobody with the name"
    expect(function() desk:sign_in(claims_of("ada", { "staff" }, { sub = "new" })) end):fails "Nobody with the name"
    expect(ada.IsActive):is_false()
  end)

  it("refuses who has left the staff, and leaves the person as it was", function(desk)
    local ada = desk:sign_in(claims_of("ada", { "staff", "desk" }))
    expect(function() desk:sign_in(claims_of("ada", { "desk" })) end):fails "not in the group staff"
    expect(roles_of(desk, ada)):equals { "Analyst Vienna" }
  end)
end)

describe("groups", function()
  it("are read in every form that providers send", function(desk)
    local forms = {
      { "desk", "staff" }, "desk staff", { { value = "desk" }, { value = "staff" } },
      { { id = "1", displayName = "staff" }, { id = "2", displayName = "desk" } }, { "staff", null, "desk", 7, true },
    }
    for number, groups in ipairs(forms) do
      expect(desk:sign_in(claims_of("ada" .. number, groups)).IsAnalyst):is_true()
    end
    local keycloak = { sub = "k", preferred_username = "kay", realm_access = { roles = { "staff", "desk" } } }
    expect(desk:sign_in(keycloak)):has { IsAnalyst = true, LastName = "k" }
  end)
end)
