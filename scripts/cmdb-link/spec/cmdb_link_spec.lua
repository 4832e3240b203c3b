describe("a link of assets", function()
  local function two(desk)
    return desk:service { AssetRef = "A-1", Name = "Printing" }, desk:configuration_item { AssetRef = "A-2", Name = "Printer" }
  end

  it("needs a type, a parent and a child", function(desk)
    local parent, child = two(desk)
    expect(desk):refuses("create", "cmdb-link", { Parent = parent, Child = child }, "Type")
    expect(desk):refuses("create", "cmdb-link", { Type = 1, Child = child }, "Parent")
    expect(desk):refuses("create", "cmdb-link", { Type = 1, Parent = parent }, "Child")
  end)

  it("takes its category from its type", function(desk)
    local parent, child = two(desk)
    local link = desk:create("cmdb-link", { Type = 1, Parent = parent, Child = child })
    expect(link.Category):equals(desk:find("cmdb-link-type", 1).Category)
  end)

  it("cannot be updated, but deleted", function(desk)
    local parent, child = two(desk)
    local link = desk:create("cmdb-link", { Type = 1, Parent = parent, Child = child })
    expect(link):refuses("update", { Description = "x" }, "405 NotSupported")
    expect(link):withholds "update"
    link:delete()
    expect(desk:find("cmdb-link", link.Ref)):is_nil()
  end)

  it("does not link an asset to itself", function(desk)
    local parent = two(desk)
    expect(desk):refuses("create", "cmdb-link", { Type = 1, Parent = parent, Child = parent }, "itself")
  end)

  for _, weight in ipairs { 0, 100 } do
    it("takes a weight of " .. weight, function(desk)
      local parent, child = two(desk)
      local link = desk:create("cmdb-link", { Type = 1, Parent = parent, Child = child, Weight = weight })
      expect(link.Weight):equals(weight)
    end)
  end

  for _, weight in ipairs { -1, 101 } do
    it("refuses a weight of " .. weight, function(desk)
      local parent, child = two(desk)
      local body = { Type = 1, Parent = parent, Child = child, Weight = weight }
      expect(desk):refuses("create", "cmdb-link", body, "Weight")
    end)
  end
end)
