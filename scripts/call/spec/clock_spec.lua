describe("the clock of a call", function()
  it("stops with a description", function(desk)
    local call = desk:call { State = 1 }
    expect(call):refuses("stop-clock", {}, "Description")
    call:stop_clock { Description = "Waits for the supplier.", Status = 3 }
    expect(call):has { ClockStopped = true, Status = 3 }
    expect(call):raised "ClockStopped"
  end)

  it("cannot stop twice, nor start while it runs", function(desk)
    local call = desk:call { State = 1 }
    expect(call):withholds "start-clock"
    expect(call):refuses("start-clock", "NotAllowed")
    call:stop_clock { Description = "Waits." }
    expect(call):offers "start-clock"
    expect(call):refuses("stop-clock", { Description = "Waits." }, "NotAllowed")
  end)

  for _, state in ipairs { 1, 3, 4 } do
    it("can be started in state " .. state, function(desk)
      expect(desk:call { State = state, ClockStopped = true }):offers "start-clock"
    end)
  end

  for _, state in ipairs { 0, 2, 5 } do
    it("cannot be started in state " .. state, function(desk)
      expect(desk:call { State = state, ClockStopped = true }):refuses("start-clock", "NotAllowed")
    end)
  end

  it("moves the due date by the time that it stood", function(desk)
    local call = desk:call { State = 1, DueDate = "2026-12-03T09:00Z" }
    call:stop_clock { Description = "Waits." }
    desk:advance "1d 2h 30m"
    call:start_clock()
    expect(call):has { DueDate = "2026-12-04T11:30Z", ClockStopped = false }
    expect(call):raised "ClockStarted"
  end)

  it("counts each stop once", function(desk)
    local call = desk:call { State = 1, DueDate = "2026-12-03T09:00Z" }
    for _ = 1, 2 do
      call:stop_clock { Description = "Waits." }
      desk:advance "2h"
      call:start_clock()
      desk:advance "1h"
    end
    expect(call.DueDate):equals "2026-12-03T13:00Z"
  end)

  it("leaves a call without a due date without one", function(desk)
    local call = desk:call { State = 1 }
    call:stop_clock { Description = "Waits." }
    desk:advance "2h"
    call:start_clock()
    expect(call.DueDate):is_nil()
  end)
end)

describe("deferring a call", function()
  it("stops its clock until then", function(desk)
    local call = desk:call { State = 1 }
    call:defer { DeferUntil = "2026-12-03T09:00Z", Status = 2 }
    expect(call):has { ClockStopped = true, SuspendUntil = "2026-12-03T09:00Z", Status = 2, State = 1 }
    expect(call):raised "Deferred"
  end)

  it("starts the clock by itself when the time has come, and not before", function(desk)
    local call = desk:call { State = 1, DueDate = "2026-12-02T09:00Z" }
    call:defer { DeferUntil = "2026-12-03T09:00Z" }
    desk:advance "1d 23h"
    desk:run_due()
    expect(call.ClockStopped):is_true()
    desk:advance "2h"
    desk:run_due()
    expect(call):has { ClockStopped = false, SuspendUntil = null, DueDate = "2026-12-04T09:00Z" }
    expect(call):raised "ClockStarted"
  end)

  it("has the clock stand until somebody starts it where it names no date", function(desk)
    local call = desk:call { State = 1 }
    call:defer()
    desk:advance "100d"
    desk:run_due()
    expect(call.ClockStopped):is_true()
  end)
end)

describe("@SlmBreached", function()
  it("holds for an open call past its due date", function(desk)
    local call = desk:call { State = 1, DueDate = "2026-12-01T10:00Z" }
    expect(call).never:satisfies "@SlmBreached"
    desk:advance "2h"
    expect(call):satisfies "@SlmBreached"
  end)

  it("holds for a call that was closed too late, not for one closed in time", function(desk)
    local late = desk:call { State = 2, DueDate = "2026-11-20T09:00Z", ClosedDate = "2026-11-20T09:01Z" }
    local good = desk:call { State = 2, DueDate = "2026-11-20T09:00Z", ClosedDate = "2026-11-20T08:59Z" }
    expect(late):satisfies "@SlmBreached"
    expect(good).never:satisfies "@SlmBreached"
  end)

  it("does not count the time that the clock stands", function(desk)
    local call = desk:call { State = 1, DueDate = "2026-12-01T10:00Z" }
    call:stop_clock { Description = "Waits." }
    desk:advance "2d"
    expect(call).never:satisfies "@SlmBreached"
    call:start_clock()
    expect(call).never:satisfies "@SlmBreached"
    desk:advance "1h 1m"
    expect(call):satisfies "@SlmBreached"
  end)

  it("keeps a verdict that was reached before the clock stopped", function(desk)
    local call = desk:call { State = 1, DueDate = "2026-11-30T10:00Z" }
    call:stop_clock { Description = "Waits." }
    expect(call):satisfies "@SlmBreached"
  end)

  it("does not hold without a due date", function(desk)
    expect(desk:call { State = 1 }).never:satisfies "@SlmBreached"
  end)
end)
