-- Who may see and do what.
local of_users = {
  { "submit", state = 0 }, { "update", { ShortDescription = "Plotter" } }, { "close", { Description = "Done." } },
  { "reopen", state = 2 }, { "add-note", { Description = "Seen." } }, { "delete", state = 0 },
}
local of_analysts = {
  { "forward", { ReceivingGroup = 3 } }, { "defer" }, { "take-ownership" }, { "resolve", { Description = "Done." } },
  { "stop-clock", { Description = "Waits." } }, { "start-clock", stopped = true }, { "lock" },
}

describe("the user of a call", function()
  for _, action in ipairs(of_users) do
    it("may " .. action[1], function(desk)
      local call = desk:call { State = action.state or 1, User = desk:as("user").me }
      expect(call:as "user"):offers(action[1])
      call:as("user"):act(action[1], action[2])
    end)
  end

  for _, action in ipairs(of_analysts) do
    it("may not " .. action[1], function(desk)
      local call = desk:call { State = 1, ClockStopped = action.stopped or false, User = desk:as("user").me }
      expect(call:as "user"):withholds(action[1])
      expect(call:as "user"):refuses(action[1], action[2] or {}, 403)
    end)
  end

  it("may not acknowledge", function(desk)
    expect(desk:call { State = 1, User = desk:as("user").me }:as "user"):refuses("acknowledge", 403)
  end)
end)

describe("somebody else's call", function()
  for _, list in ipairs { of_users, of_analysts } do
    for _, action in ipairs(list) do
      it("does not exist for a user who wants to " .. action[1], function(desk)
        local call = desk:call { State = action.state or 1, User = desk:as("user2").me }
        expect(call:as "user"):refuses(action[1], action[2] or {}, "RecordNotFound")
      end)
    end
  end

  it("is not found by a user", function(desk)
    local call = desk:call { State = 1, User = desk:as("user2").me }
    expect(desk:as("user"):find("call", call.Ref)):is_nil()
    expect(#desk:as("user"):search("call", "Ref == " .. call.Ref)):equals(0)
    expect(#desk:as("user2"):search("call", "Ref == " .. call.Ref)):equals(1)
  end)
end)

describe("a session without a person", function()
  it("sees no calls", function(desk)
    expect(desk:anonymous():get("call").status):equals(403)
  end)
end)

describe("partitions", function()
  it("show an analyst the calls of the own ones alone", function(desk)
    local vienna, gdansk = desk:call { State = 1, Partition = 1 }, desk:call { State = 1, Partition = 2 }
    expect(desk:find("call", vienna.Ref)):equals(vienna)
    expect(desk:find("call", gdansk.Ref)):is_nil()
    expect(desk:as("analyst2"):find("call", gdansk.Ref)):equals(gdansk)
  end)

  it("refuse a call to be made in one that is not accessible", function(desk)
    expect(desk):refuses("create", "call", { ShortDescription = "Printer", Partition = 2 }, 403)
  end)

  it("give a new call that of the person", function(desk)
    expect(desk:create("call", { ShortDescription = "Printer" }).Partition):equals(1)
  end)
end)

describe("history and files of a call", function()
  local file = { Name = "log.txt", ContentType = "text/plain", BinaryData = "aGVsbG8=" }

  it("are seen where the call is", function(desk)
    local call = desk:call { State = 1, User = desk:as("user").me }
    call:add_note { Description = "Seen." }
    expect(desk:post("call/" .. call.Ref .. "/attachment", file).status):equals(200)
    expect(#call:as("user"):history()):equals(1)
    expect(desk:as("user"):get("call/" .. call.Ref .. "/attachment").body):has { results = { { Name = "log.txt" } } }
    expect(call.AttachmentCount):equals(1)
  end)

  it("are hidden where the call is", function(desk)
    local call = desk:call { State = 1, User = desk:as("user2").me }
    call:add_note { Description = "Seen." }
    desk:post("call/" .. call.Ref .. "/attachment", file)
    expect(desk:as("user"):get("call/" .. call.Ref .. "/history").status):equals(404)
    expect(desk:as("user"):get("call/" .. call.Ref .. "/attachment").status):equals(404)
    expect(#desk:as("user"):search("attachment", "EntityRef == " .. call.Ref)):equals(0)
  end)
end)
