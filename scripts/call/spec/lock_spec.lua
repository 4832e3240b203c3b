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
    expect(call:as "analyst2"):refuses("unlock", 403)
  end)

  it("is for administrators, whoever locked it", function(desk)
    local call = desk:call { State = 1 }
    call:lock()
    call:as("admin"):unlock()
    expect(call.LockedBy):is_nil()
  end)
end)
