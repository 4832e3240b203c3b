describe("a recurring call", function()
  it("is made each week, once", function(desk)
    local job = desk:create("job", { Title = "Change the tape", Next = "2026-12-01T10:00:00Z" })
    local made = function() return desk.count("service-request", 'ShortDescription == "Change the tape"') end
    desk:run_due()
    expect(made()):equals(0)
    desk:advance "2h"
    desk:run_due()
    desk:run_due()
    expect(made()):equals(1)
    expect(job):has { Next = "2026-12-08T10:00:00Z" }
    desk:advance "7d"
    desk:run_due()
    expect(made()):equals(2)
  end)
end)
