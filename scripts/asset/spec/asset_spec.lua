for _, each in ipairs { { "configuration-item", "configuration_item" }, { "service", "service" } } do
  local entity, word = each[1], each[2]

  describe("a frozen " .. entity, function()
    for _, action in ipairs { { "update", { Name = "x" } }, { "delete" }, { "retire" }, { "restore" } } do
      it("refuses " .. action[1], function(desk)
        local asset = desk[word](desk, { AssetRef = "A-1", Name = "Printer", IsFrozen = true })
        expect(asset):withholds(action[1])
        expect(asset):refuses(action[1], action[2] or {}, action[1] == "delete" and "NotSupported" or "400 NotAllowed")
      end)
    end

    it("can be changed again once it is unfrozen", function(desk)
      local asset = desk[word](desk, { AssetRef = "A-1", Name = "Printer" })
      asset:freeze()
      expect(asset):withholds("freeze", "update")
      asset:unfreeze()
      asset:update { Name = "Plotter" }
      expect(asset.Name):equals "Plotter"
      expect(asset):withholds "unfreeze"
    end)
  end)

  describe("a " .. entity, function()
    it("needs an AssetRef of its own and a name", function(desk)
      expect(desk):refuses("create", entity, { Name = "Printer" }, "AssetRef")
      expect(desk):refuses("create", entity, { AssetRef = "A-1" }, "Name")
      desk:create(entity, { AssetRef = "a-1", Name = "Printer" })
      expect(desk):refuses("create", entity, { AssetRef = "A-1", Name = "Plotter" }, "A-1 is not allowed")
    end)

    it("is retired and restored with the status that it had", function(desk)
      local asset = desk:create(entity, { AssetRef = "A-1", Name = "Printer", Status = 1 })
      asset:retire()
      expect(asset.Status).never:equals(1)
      expect(asset):offers "restore"
      expect(asset):withholds "retire"
      asset:restore()
      expect(asset.Status):equals(1)
    end)

    it("is cloned, and the copy is the answer", function(desk)
      local asset = desk[word](desk, { AssetRef = "A-1", Name = "Printer", Description = "Grey", IsFrozen = true })
      local copy = asset:clone()
      expect(copy.Ref).never:equals(asset.Ref)
      expect(copy):has { AssetRef = "A-1-COPY", Name = "Printer", Description = "Grey", IsFrozen = false }
      expect(asset:clone { NewAssetRef = "b-7", NewName = "Plotter" }):has { AssetRef = "B-7", Name = "Plotter" }
    end)

    it("stays stored when it is deleted", function(desk)
      local asset = desk[word](desk, { AssetRef = "A-1", Name = "Printer" })
      asset:delete()
      expect(desk:find(entity, asset.Ref)):is_nil()
      expect(#desk:search(entity, "@IsDeleted && Ref == " .. asset.Ref)):equals(1)
    end)
  end)
end

describe("an asset", function()
  it("cannot be created as such", function(desk)
    expect(desk):refuses("create", "asset", { AssetRef = "A-1", Name = "Printer" }, "NotSupported")
  end)

  it("is a configuration item or a service in one list", function(desk)
    desk:configuration_item { AssetRef = "A-1", Name = "Printer of specs" }
    desk:service { AssetRef = "A-2", Name = "Printing of specs" }
    expect(#desk:search("asset", 'Name.Contains("of specs")')):equals(2)
  end)
end)

describe("users", function()
  it("see services, and the configuration items that they own or use", function(desk)
    local user = desk:as "user"
    local used = desk:configuration_item { AssetRef = "A-1", Name = "Printer", User = user.me }
    local owned = desk:configuration_item { AssetRef = "A-2", Name = "Printer", Owner = user.me }
    local other = desk:configuration_item { AssetRef = "A-3", Name = "Printer" }
    expect(user:find("configuration-item", used.Ref)):equals(used)
    expect(user:find("configuration-item", owned.Ref)):equals(owned)
    expect(user:find("configuration-item", other.Ref)):is_nil()
    expect(user:find("service", desk:service { AssetRef = "A-4", Name = "Printing" }.Ref)).never:is_nil()
  end)
end)

describe("each action on an asset", function()
  it("raises its event", function(desk)
    local asset = desk:create("service", { AssetRef = "A-1", Name = "Printing" })
    asset:update { Name = "Prints" }
    asset:clone()
    asset:freeze()
    asset:unfreeze()
    asset:retire()
    asset:restore()
    asset:delete()
    expect(asset):raised("Updated", "Cloned", "Frozen", "Unfrozen", "Retired", "Restored", "Deleted")
  end)
end)

describe("the status of an asset", function()
  it("stays while the asset is frozen", function(desk)
    local asset = desk:create("service", { AssetRef = "A-1", Name = "Printing", Status = 1 })
    asset:retire()
    asset:freeze()
    expect(asset):withholds "restore"
  end)

  it("cannot be restored while it is one of use", function(desk)
    expect(desk:create("service", { AssetRef = "A-1", Name = "Printing", Status = 1 })):withholds "restore"
  end)

  it("is restored to the last one of use", function(desk)
    local asset = desk:create("service", { AssetRef = "A-1", Name = "Printing", Status = 1 })
    asset:update { Status = 2 }
    asset:update { Name = "Prints" }
    asset:retire()
    asset:restore()
    expect(asset.Status):equals(2)
  end)

  it("may be set where there was none", function(desk)
    local asset = desk:create("service", { AssetRef = "A-1", Name = "Printing" })
    asset:update { Status = 1 }
    asset:update { AssetRef = "A-2" }
    expect(asset):has { Status = 1, AssetRef = "A-2" }
    expect(asset):refuses("update", { AssetRef = desk.first("asset", "Ref != ?", asset.Ref).AssetRef }, "choose another")
  end)

  it("is brought back after it was retired, whatever else was changed", function(desk)
    local asset = desk:configuration_item { AssetRef = "A-1", Name = "Printer", Status = 2 }
    asset:update { Name = "Plotter" }
    asset:update { Status = 1 }
    asset:update { Name = "Printer" }
    asset:retire()
    asset:restore()
    expect(asset):has { Status = 1 }
  end)

  it("may be given to an asset that had none", function(desk)
    local asset = desk:configuration_item { AssetRef = "A-1", Name = "Printer", Status = null }
    asset:update { Status = 1 }
    expect(asset):has { Status = 1 }
  end)
end)

describe("a copy of a service", function()
  it("takes over what services have", function(desk)
    local service = desk:service { AssetRef = "S-1", Name = "Mail", Description = "Post.", SupportGroup = 1 }
    expect(service:clone()):has { Name = "Mail", Description = "Post.", SupportGroup = 1 }
  end)
end)
