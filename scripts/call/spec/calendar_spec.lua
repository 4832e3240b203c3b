-- In December it is 15:00 in Vienna and 16:00 in Athens at 14:00 UTC.
local function logged(desk, moment, calendar)
  desk:at(moment)
  local priority = desk:call_priority { Name = "Office hours", Calendar = calendar, ResolveMinutes = 240 }
  return desk:create("call", { ShortDescription = "Printer", Priority = priority.Ref })
end

describe("the due date of a call whose priority has a calendar", function()
  local promises = {
    { "waits for the morning",               "2026-12-02 14:00", "vienna", "2026-12-03T09:00Z" },
    { "waits for the morning of its zone",   "2026-12-02 14:00", "athens", "2026-12-03T10:00Z" },
    { "skips the weekend",                   "2026-12-04 13:00", "vienna", "2026-12-07T10:00Z" },
    { "skips Christmas",                     "2026-12-24 14:00", "vienna", "2026-12-28T09:00Z" },
    { "skips Christmas in Athens",           "2026-12-24 14:00", "athens", "2026-12-28T10:00Z" },
    { "works where others have a holiday",   "2026-10-26 07:00", "athens", "2026-10-26T11:00Z" },
    { "begins behind a holiday",             "2026-10-26 07:00", "vienna", "2026-10-27T11:00Z" },
    { "begins when work begins",             "2026-12-05 23:00", "vienna", "2026-12-07T11:00Z" },
    { "keeps to the wall in spring",         "2026-03-27 13:00", "vienna", "2026-03-30T09:00Z" },
    { "keeps to the wall in spring, Athens", "2026-03-27 14:00", "athens", "2026-03-30T09:00Z" },
    { "keeps to the wall in autumn",         "2026-10-23 12:00", "vienna", "2026-10-27T10:00Z" },
  }
  for _, promise in ipairs(promises) do
    local words, moment, calendar, due = unpack(promise)
    it(words, function(desk)
      expect(logged(desk, moment, calendar)):has { DueDate = due }
    end)
  end

  it("is around the clock where so many hours end behind all calendars", function(desk)
    desk:at "2026-12-02 14:00"
    local priority = desk:call_priority { Name = "Some day", Calendar = "vienna", ResolveMinutes = 2000000000 }
    local call = desk:create("call", { ShortDescription = "Printer", Priority = priority.Ref })
    expect(call.DueDate):equals "5829-07-27T11:20Z"
  end)

  it("is around the clock again with a priority without one", function(desk)
    local call = logged(desk, "2026-12-02 14:00", "vienna")
    call:update { Priority = 1 }
    expect(call):has { DueDate = "2026-12-02T18:00Z" }
  end)
end)

describe("the clock of a call whose priority has a calendar", function()
  local function stood(desk, calendar, moment, span)
    local call = logged(desk, moment, calendar)
    call:stop_clock { Description = "Waits." }
    desk:advance(span)
    call:start_clock()
    return call
  end

  it("moves the due date by working time alone", function(desk)
    expect(stood(desk, "vienna", "2026-12-24 14:00", "3d 18h")):has { DueDate = "2026-12-28T12:00Z" }
  end)

  it("moves nothing over a night", function(desk)
    expect(stood(desk, "vienna", "2026-12-02 16:00", "15h")):has { DueDate = "2026-12-03T11:00Z" }
  end)

  it("keeps to the wall when summer time begins", function(desk)
    expect(stood(desk, "athens", "2026-03-27 14:00", "2d 17h")):has { DueDate = "2026-03-30T11:00Z" }
  end)
end)

describe("@SlmBreached of a call whose priority has a calendar", function()
  it("holds when its working hours are over, not in the holidays before", function(desk)
    local call = logged(desk, "2026-12-24 14:00", "vienna")
    desk:at "2026-12-28 08:59"
    expect(call).never:satisfies "@SlmBreached"
    desk:at "2026-12-28 09:01"
    expect(call):satisfies "@SlmBreached"
  end)
end)

describe("calls that have waited for working hours", function()
  -- Logged on Friday at 14:00 in Vienna and 15:00 in Athens; on Monday by nine o'clock of Vienna an hour of work has passed on
  -- Friday and one on Monday, in Athens two and one.
  local function waits(desk, hours, calendar)
    desk:at "2026-12-04 13:00"
    local call = desk:create("call", { ShortDescription = "Printer" })
    desk:at "2026-12-07 08:00"
    return desk.count("call", "Ref == ? && LoggedDate <= @WorkingHoursAgo(?, ?)", call.Ref, hours, calendar)
  end

  local promises = {
    { "are found by the hours of their calendar", 2, "vienna", 1 },
    { "are not found before", 2.01, "vienna", 0 },
    { "are found by those of another zone", 3, "athens", 1 },
    { "are not found before, by those of another zone", 3.01, "athens", 0 },
  }
  for _, promise in ipairs(promises) do
    local words, hours, calendar, count = unpack(promise)
    it(words, function(desk) expect(waits(desk, hours, calendar)):equals(count) end)
  end

  it("are counted over a change of summer time and a holiday", function(desk)
    desk:at "2026-10-23 12:00"   -- Friday, an hour before the end of work in Vienna
    local call = desk:create("call", { ShortDescription = "Printer" })
    desk:at "2026-10-27 08:00"   -- Tuesday behind a national holiday, an hour after the begin of work
    expect(desk.count("call", 'Ref == ? && LoggedDate <= @WorkingHoursAgo(2, "vienna")', call.Ref)):equals(1)
    expect(desk.count("call", 'Ref == ? && LoggedDate <= @WorkingHoursAgo(2.01, "vienna")', call.Ref)):equals(0)
  end)

  it("need a calendar that there is", function(desk)
    local refused = desk:get("call", { ["$filter"] = 'LoggedDate < @WorkingHoursAgo(4, "lunch")' })
    expect(refused):has { status = 400 }
  end)
end)

describe("the due date of a call", function()
  it("stays where its priority is taken away", function(desk)
    local call = desk:create("call", { ShortDescription = "Printer", Priority = 1 })
    local due = call.DueDate
    call:update { Priority = null }
    expect(call.DueDate):equals(due)
  end)

  it("is none by a priority that promises nothing", function(desk)
    local priority = desk:call_priority { Name = "Some day", ResolveMinutes = null }
    expect(desk:create("call", { ShortDescription = "Printer", Priority = priority.Ref }).DueDate):is_nil()
  end)
end)
