describe("the rights of a role", function()
  for _, rights in ipairs { "Administration", "Integration", "call:Update", "*:Read", "call:Action  configuration-item:Read" } do
    it("may be " .. rights, function(desk)
      expect(desk:as("admin"):create("role", { Name = "New", Rights = rights }).Rights):equals(rights)
    end)
  end

  for _, wrong in ipairs { "call", "call:Fly", "Everything", "Call:Read", "call:Read *" } do
    it("may not be " .. wrong, function(desk)
      expect(desk:as "admin"):refuses("create", "role", { Name = "New", Rights = wrong }, "is none. Write Administration")
    end)
  end

  it("may be none, and none that are wrong are added later", function(desk)
    local role = desk:as("admin"):create("role", { Name = "New" })
    expect(role:as "admin"):refuses("update", { Rights = "call:Fly" }, "call:Fly is none")
  end)
end)
