describe("an identity-link", function()
  local issuer = "https://login.example"
  local function link(person, subject) return { Person = person, Issuer = issuer, Subject = subject } end

  it("is made by administrators, once for each subject and each person of an issuer", function(desk)
    local admin = desk:as("admin")
    expect(admin:create("identity-link", link(4, "s-4")).Subject):equals("s-4")
    expect(admin):refuses("create", "identity-link", link(5, "s-4"), "Subject: it is somebody's already")
    expect(admin):refuses("create", "identity-link", link(4, "s-5"), "Person: is linked with another subject")
    expect(admin:create("identity-link", link(5, "S-4")).Subject):equals("S-4")
    expect(desk:as("analyst")):refuses("create", "identity-link", link(6, "s-6"), "NotAllowed")
  end)

  it("may have the subject of another issuer, and the person of another", function(desk)
    local admin = desk:as("admin")
    admin:create("identity-link", link(4, "s-4"))
    local elsewhere = { Person = 4, Issuer = "https://other.example", Subject = "s-4" }
    expect(admin:create("identity-link", elsewhere).Subject):equals "s-4"
    local capital = { Person = 4, Issuer = "https://LOGIN.example", Subject = "S-9" }
    expect(admin:create("identity-link", capital).Person):equals(4)
  end)

  it("is made again after it was deleted, and never changed", function(desk)
    local admin = desk:as("admin")
    local made = admin:create("identity-link", link(4, "s-4"))
    expect(made):refuses("update", { Person = 1 }, "NotSupported")
    made:delete()
    expect(admin:create("identity-link", link(4, "s-9")).Subject):equals("s-9")
  end)
end)
