local changing = {
  { "update", { ShortDescription = "Plotter" } }, { "forward", { ReceivingGroup = 3 } }, { "defer" }, { "submit" },
  { "take-ownership" }, { "resolve", { Description = "Done." } }, { "close", { Description = "Done." } },
  { "add-note", { Description = "Seen." } }, { "stop-clock", { Description = "Waits." } }, { "lock" },
}

describe("locking a call", function()
  it("notes who locked it", function(desk)
    local call = desk:call { State = 1 }
    call:lock()
    expect(call):has { LockedBy = desk.me, LockedDate = desk:now() }
  end)

  for _, each in ipairs(changing) do
    local action, body = each[1], each[2]
    it("refuses " .. action .. " to others meanwhile", function(desk)
      local call = desk:call { State = 1 }
      call:lock()
      expect(call:as "analyst2"):withholds(action)
      expect(call:as "analyst2"):refuses(action, body or {}, "NotAllowed")
    end)
  end

  it("refuses to reopen and to delete as well", function(desk)
    local closed, new = desk:call { State = 2 }, desk:call { State = 0 }
    closed:lock()
    new:lock()
    expect(closed:as "analyst2"):withholds "reopen"
    expect(new:as "analyst2"):withholds "delete"
  end)

  it("keeps nothing from the one who locked it", function(desk)
    local call = desk:call { State = 1 }
    call:lock()
    call:close { Description = "Done." }
    expect(call.State):equals(2)
  end)

  it("ends after 15 minutes", function(desk)
    local call = desk:call { State = 1 }
    call:lock()
    desk:advance "14m"
    expect(call:as "analyst2"):withholds "close"
    desk:advance "2m"
    expect(call:as "analyst2"):offers "close"
  end)

  for _, ahead in ipairs { "2026-12-01 09:16", "2026-12-31 09:00", "9000-01-01 00:00" } do
    it("holds nothing that is dated " .. ahead .. ", by a clock that went wrong", function(desk)
      local call = desk:call { State = 1, LockedBy = desk:as("analyst2").me, LockedDate = ahead:gsub(" ", "T") .. "Z" }
      expect(call):offers("close", "lock")
      call:lock()
      expect(call).never:satisfies "@IsLockedByOther"
      expect(call):has { LockedBy = desk.me, LockedDate = desk:now() }
    end)
  end

  it("holds of a clock that is a little ahead", function(desk)
    local call = desk:call { State = 1, LockedBy = desk:as("analyst2").me, LockedDate = "2026-12-01T09:10Z" }
    expect(call):withholds "close"
    desk:advance "26m"
    expect(call):offers "close"
  end)

  it("writes no history and raises no event", function(desk)
    local call = desk:call { State = 1 }
    call:lock()
    call:unlock()
    expect(#call:history()):equals(0)
    expect(desk:events()):equals {}
  end)
end)

describe("unlocking a call", function()
  it("is for the one who locked it", function(desk)
    local call = desk:call { State = 1 }
    expect(call):withholds "unlock"
    call:lock()
    expect(call):offers "unlock"
    call:unlock()
    expect(call):has { LockedBy = null, LockedDate = null }
    expect(call:as "analyst2"):offers "close"
  end)

  it("is for nobody else", function(desk)
    local call = desk:call { State = 1 }
    call:lock()
    expect(call:as "analyst2"):withholds "unlock"
    expect(call:as "analyst2"):refuses("unlock", "400 NotAllowed")
    desk:advance "2h"
    expect(call:as "analyst2"):refuses("unlock", "400 NotAllowed")
  end)

  it("is refused of a call that nobody locked, to administrators too", function(desk)
    local call = desk:call { State = 1 }
    expect(call):refuses("unlock", "400 NotAllowed")
    expect(call:as "admin"):withholds "unlock"
    expect(call:as "admin"):refuses("unlock", "400 NotAllowed")
  end)

  it("is no right of users", function(desk)
    local call = desk:call { State = 1, User = desk:as("user").me, LockedBy = desk:as("user").me, LockedDate = desk:now() }
    expect(call:as "user"):refuses("unlock", 403)
  end)

  it("is for administrators, whoever locked it", function(desk)
    local call = desk:call { State = 1 }
    call:lock()
    call:as("admin"):unlock()
    expect(call.LockedBy):is_nil()
  end)
end)
